process BASESWEEP_PWM {
    tag "${meta.id}"
    label 'process_medium'
    label 'process_gpu'

    conda "${moduleDir}/environment.yml"
    container "${workflow.containerEngine in ['singularity', 'apptainer'] && !task.ext.singularity_pull_docker_container
        ? 'https://depot.galaxyproject.org/singularity/basesweep:1.0.0rc1--0'
        : 'quay.io/biocontainers/basesweep:1.0.0rc1--0'}"

    input:
    tuple val(meta), path(text), path(index), path(plan), val(chunk)
    tuple val(meta2), path(matrices, stageAs: 'matrices/*')
    val suffix

    output:
    tuple val(meta), path("${prefix}.${ending}"), emit: sites
    tuple val(meta), path("${prefix}.json"), emit: json
    tuple val("${task.process}"), val('basesweep'), eval("basesweep --version | sed 's/.* //'"), topic: versions, emit: versions_basesweep

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    prefix = task.ext.prefix ?: "${meta.id}"
    def part = chunk ? "--chunk ${chunk}" : ''
    def cuts = plan ? "--plan ${plan}" : ''
    def kind = suffix.tokenize('.')[0]
    def what = kind == 'counts' ? '--count' : kind in ['score', 'count'] ? "--table ${kind}" : "--format ${kind}"
    def files = [matrices].flatten().collect { file -> "-m ${file}" }.join(' ')
    // As many GPUs as were granted: the node may have others' in sight. An --device in ext.args comes first.
    def gpus = task.accelerator ? task.accelerator.request : 0
    def granted = gpus > 1 ? "gpu:${(0..<gpus).join(',')}" : gpus == 1 ? 'gpu' : 'cpu'
    def device = args.contains('--device') ? '' : "--device ${granted}"
    // Last: Nextflow refuses a `def` that reads what an assignment without `def` has read.
    ending = chunk ? 'bsp' : suffix
    """
    basesweep \\
        pwm \\
        ${files} \\
        ${text} \\
        ${part} \\
        ${cuts} \\
        ${what} \\
        ${device} \\
        -t ${task.cpus} \\
        ${args} \\
        -o ${prefix}.${ending} \\
        --json ${prefix}.json
    """

    stub:
    prefix = task.ext.prefix ?: "${meta.id}"
    ending = chunk ? 'bsp' : suffix
    def touch = ending.endsWith('.gz') ? 'echo "" | gzip >' : 'touch'
    """
    ${touch} ${prefix}.${ending}
    touch ${prefix}.json
    """
}
