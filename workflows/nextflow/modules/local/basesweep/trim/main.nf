process BASESWEEP_TRIM {
    tag "${meta.id}"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${workflow.containerEngine in ['singularity', 'apptainer'] && !task.ext.singularity_pull_docker_container
        ? 'https://depot.galaxyproject.org/singularity/basesweep:1.0.0rc1--0'
        : 'quay.io/biocontainers/basesweep:1.0.0rc1--0'}"

    input:
    tuple val(meta), path(reads)
    val suffix

    output:
    tuple val(meta), path("${prefix}*.trim.${suffix}"), emit: reads
    tuple val(meta), path("${prefix}.json"), emit: json
    tuple val("${task.process}"), val('basesweep'), eval("basesweep --version | sed 's/.* //'"), topic: versions, emit: versions_basesweep

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def name = task.ext.prefix ?: "${meta.id}"
    def paired = reads instanceof List && !meta.single_end
    def mates = paired ? "-1 ${reads[0]} -2 ${reads[1]}" : "${reads}"
    // SAM and BAM hold both mates.
    def two = paired && !(suffix in ['sam', 'bam'])
    def trimmed = two ? "-o ${name}_1.trim.${suffix} -p ${name}_2.trim.${suffix}" : "-o ${name}.trim.${suffix}"
    prefix = name
    """
    basesweep \\
        trim \\
        ${mates} \\
        -t ${task.cpus} \\
        ${args} \\
        ${trimmed} \\
        --json ${prefix}.json
    """

    stub:
    def name = task.ext.prefix ?: "${meta.id}"
    def two = reads instanceof List && !meta.single_end && !(suffix in ['sam', 'bam'])
    def touch = suffix.endsWith('.gz') ? 'echo "" | gzip >' : 'touch'
    def second = two ? "${touch} ${name}_2.trim.${suffix}" : ''
    def mate = two ? '_1' : ''
    prefix = name
    """
    ${touch} ${prefix}${mate}.trim.${suffix}
    ${second}
    touch ${prefix}.json
    """
}
