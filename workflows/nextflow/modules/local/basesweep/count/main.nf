process BASESWEEP_COUNT {
    tag "${meta.id}"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${workflow.containerEngine in ['singularity', 'apptainer'] && !task.ext.singularity_pull_docker_container
        ? 'https://depot.galaxyproject.org/singularity/basesweep:1.0.0rc1--0'
        : 'quay.io/biocontainers/basesweep:1.0.0rc1--0'}"

    input:
    tuple val(meta), path(reads), val(samples)
    tuple val(meta2), path(library)
    val suffix

    output:
    tuple val(meta), path("${prefix}.${suffix}"), emit: counts
    tuple val(meta), path("${prefix}.samples.tsv"), emit: summary
    tuple val(meta), path("${prefix}.json"), emit: json
    tuple val("${task.process}"), val('basesweep'), eval("basesweep --version | sed 's/.* //'"), topic: versions, emit: versions_basesweep

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    prefix = task.ext.prefix ?: "${meta.id}"
    def names = samples ? samples.collect { sample -> "--sample '${sample}'" }.join(' ') : ''
    """
    basesweep \\
        count \\
        -l ${library} \\
        ${names} \\
        ${reads} \\
        -t ${task.cpus} \\
        ${args} \\
        -o ${prefix}.${suffix} \\
        --summary ${prefix}.samples.tsv \\
        --json ${prefix}.json
    """

    stub:
    prefix = task.ext.prefix ?: "${meta.id}"
    def touch = suffix.endsWith('.gz') ? 'echo "" | gzip >' : 'touch'
    """
    ${touch} ${prefix}.${suffix}
    touch ${prefix}.samples.tsv
    touch ${prefix}.json
    """
}
