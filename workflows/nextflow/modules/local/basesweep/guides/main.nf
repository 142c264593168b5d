process BASESWEEP_GUIDES {
    tag "${meta.id}"
    label 'process_medium'
    label 'process_gpu'

    conda "${moduleDir}/environment.yml"
    container "${workflow.containerEngine in ['singularity', 'apptainer'] && !task.ext.singularity_pull_docker_container
        ? 'https://depot.galaxyproject.org/singularity/basesweep:1.0.0rc1--0'
        : 'quay.io/biocontainers/basesweep:1.0.0rc1--0'}"

    input:
    tuple val(meta), path(text), path(index), path(plan), val(chunk)
    tuple val(meta2), path(guides)
    val suffix

    output:
    tuple val(meta), path("${prefix}.${ending}"), emit: table
    tuple val(meta), path("${prefix}.${suffix}"), emit: places, optional: true
    tuple val(meta), path("${prefix}.${suffix}.{bai,crai,csi,tbi}"), emit: index, optional: true
    tuple val(meta), path("${prefix}.json"), emit: json
    tuple val("${task.process}"), val('basesweep'), eval("basesweep --version | sed 's/.* //'"), topic: versions, emit: versions_basesweep

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def name = task.ext.prefix ?: "${meta.id}"
    prefix = name
    def part = chunk ? "--chunk ${chunk}" : ''
    def cuts = plan ? "--plan ${plan}" : ''
    def library = guides ? "-f ${guides}" : ''
    def places = suffix ? "--hits ${name}.${suffix}" : ''
    // As many GPUs as were granted: the node may have others' in sight. An --device in ext.args comes first.
    def gpus = task.accelerator ? task.accelerator.request : 0
    def granted = gpus > 1 ? "gpu:${(0..<gpus).join(',')}" : gpus == 1 ? 'gpu' : 'cpu'
    def device = args.contains('--device') ? '' : "--device ${granted}"
    // Last: Nextflow refuses a `def` that reads what an assignment without `def` has read.
    ending = chunk ? 'bsp' : 'guides.tsv'
    """
    basesweep \\
        guides \\
        ${library} \\
        ${text} \\
        ${part} \\
        ${cuts} \\
        ${places} \\
        ${device} \\
        -t ${task.cpus} \\
        ${args} \\
        -o ${prefix}.${ending} \\
        --json ${prefix}.json
    """

    stub:
    def name = task.ext.prefix ?: "${meta.id}"
    prefix = name
    ending = chunk ? 'bsp' : 'guides.tsv'
    def touch = suffix.endsWith('.gz') ? 'echo "" | gzip >' : 'touch'
    def places = suffix && !chunk ? "${touch} ${name}.${suffix}" : ''
    """
    touch ${prefix}.${ending}
    ${places}
    touch ${prefix}.json
    """
}
