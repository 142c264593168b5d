process BASESWEEP_DEMUX {
    tag "${meta.id}"
    label 'process_medium'
    label 'process_gpu'

    conda "${moduleDir}/environment.yml"
    container "${workflow.containerEngine in ['singularity', 'apptainer'] && !task.ext.singularity_pull_docker_container
        ? 'https://depot.galaxyproject.org/singularity/basesweep:1.0.0rc1--0'
        : 'quay.io/biocontainers/basesweep:1.0.0rc1--0'}"

    input:
    tuple val(meta), path(reads)
    tuple val(meta2), path(sheet)
    val suffix

    output:
    tuple val(meta), path("${prefix}/*.${suffix}"), emit: reads
    tuple val(meta), path("${prefix}/summary.tsv"), emit: summary
    tuple val(meta), path("${prefix}/reasons.tsv"), emit: reasons
    tuple val(meta), path("${prefix}.json"), emit: json
    tuple val("${task.process}"), val('basesweep'), eval("basesweep --version | sed 's/.* //'"), topic: versions, emit: versions_basesweep

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    prefix = task.ext.prefix ?: "${meta.id}"
    def mates = reads instanceof List && !meta.single_end ? "-1 ${reads[0]} -2 ${reads[1]}" : "${reads}"
    // As many GPUs as were granted: the node may have others' in sight. An --device in ext.args comes first.
    def gpus = task.accelerator ? task.accelerator.request : 0
    def granted = gpus > 1 ? "gpu:${(0..<gpus).join(',')}" : gpus == 1 ? 'gpu' : 'cpu'
    def device = args.contains('--device') ? '' : "--device ${granted}"
    """
    basesweep \\
        demux \\
        -s ${sheet} \\
        ${mates} \\
        --format ${suffix} \\
        ${device} \\
        -t ${task.cpus} \\
        ${args} \\
        -o ${prefix} \\
        --json ${prefix}.json
    """

    stub:
    prefix = task.ext.prefix ?: "${meta.id}"
    def touch = suffix.endsWith('.gz') ? 'echo "" | gzip >' : 'touch'
    """
    mkdir ${prefix}
    ${touch} ${prefix}/unassigned.${suffix}
    touch ${prefix}/summary.tsv
    touch ${prefix}/reasons.tsv
    touch ${prefix}.json
    """
}
