process BASESWEEP_PLAN {
    tag "${meta.id}"
    label 'process_single'

    conda "${moduleDir}/environment.yml"
    container "${workflow.containerEngine in ['singularity', 'apptainer'] && !task.ext.singularity_pull_docker_container
        ? 'https://depot.galaxyproject.org/singularity/basesweep:1.0.0rc1--0'
        : 'quay.io/biocontainers/basesweep:1.0.0rc1--0'}"

    input:
    tuple val(meta), path(text), path(index), path(regions)
    val chunks

    output:
    tuple val(meta), path("${prefix}.plan.tsv"), emit: plan
    tuple val("${task.process}"), val('basesweep'), eval("basesweep --version | sed 's/.* //'"), topic: versions, emit: versions_basesweep

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    prefix = task.ext.prefix ?: "${meta.id}"
    def within = regions ? "--regions-file ${regions}" : ''
    """
    basesweep \\
        plan \\
        ${text} \\
        --chunks ${chunks} \\
        ${within} \\
        ${args} \\
        -o ${prefix}.plan.tsv
    """

    stub:
    prefix = task.ext.prefix ?: "${meta.id}"
    """
    touch ${prefix}.plan.tsv
    """
}
