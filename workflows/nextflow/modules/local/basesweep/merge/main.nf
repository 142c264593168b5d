process BASESWEEP_MERGE {
    tag "${meta.id}.${suffix}"
    label 'process_low'

    conda "${moduleDir}/environment.yml"
    container "${workflow.containerEngine in ['singularity', 'apptainer'] && !task.ext.singularity_pull_docker_container
        ? 'https://depot.galaxyproject.org/singularity/basesweep:1.0.0rc1--0'
        : 'quay.io/biocontainers/basesweep:1.0.0rc1--0'}"

    input:
    // Parts may have the same name, so each is staged into a folder of its own.
    tuple val(meta), path(parts, stageAs: 'parts/?/*'), val(suffix)

    output:
    tuple val(meta), path("${prefix}.${suffix}"), emit: merged
    tuple val(meta), path("${report}.json"), emit: json
    tuple val(meta), path("${prefix}.places.*"), emit: places, optional: true
    tuple val(meta), path("${prefix}.${suffix}.{bai,csi,tbi}"), emit: index, optional: true
    tuple val("${task.process}"), val('basesweep'), eval("basesweep --version | sed 's/.* //'"), topic: versions, emit: versions_basesweep

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    prefix = task.ext.prefix ?: "${meta.id}"
    report = task.ext.prefix2 ?: prefix
    """
    basesweep \\
        merge \\
        ${args} \\
        -t ${task.cpus} \\
        -o ${prefix}.${suffix} \\
        --json ${report}.json \\
        parts/*/*
    """

    stub:
    prefix = task.ext.prefix ?: "${meta.id}"
    report = task.ext.prefix2 ?: prefix
    def touch = suffix.endsWith('.gz') ? 'echo "" | gzip >' : 'touch'
    def places = (task.ext.args ?: '').contains('--hits') ? "touch ${prefix}.places.tsv" : ''
    """
    ${touch} ${prefix}.${suffix}
    touch ${report}.json
    ${places}
    """
}
