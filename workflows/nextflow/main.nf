#!/usr/bin/env nextflow

// Cuts texts in chunks, sweeps each chunk in a task of its own, joins the parts: plan, scatter, gather.

include { BASESWEEP_GUIDES } from './modules/local/basesweep/guides/main'
include { BASESWEEP_MAP    } from './modules/local/basesweep/map/main'
include { BASESWEEP_MATCH  } from './modules/local/basesweep/match/main'
include { BASESWEEP_MERGE  } from './modules/local/basesweep/merge/main'
include { BASESWEEP_MOTIF  } from './modules/local/basesweep/motif/main'
include { BASESWEEP_PLAN   } from './modules/local/basesweep/plan/main'

// The value of a parameter that the chosen command needs.
def needed(name, command) {
    def value = params[name]
    if (!value) {
        error("--command ${command} needs --${name}")
    }
    return value
}

// The .fai and .gzi that lie beside a FASTA file.
def indexes(fasta) {
    return ['.fai', '.gzi'].collect { suffix -> file("${fasta}${suffix}") }.findAll { index -> index.exists() }
}

// A file as a module takes it, with its meta map.
def named(path) {
    def only = file(path, checkIfExists: true)
    if (only instanceof List) {
        error("${path} names several files, where one is needed")
    }
    return [[id: only.simpleName], only]
}

workflow {
    main:
    def commands = params.command.tokenize(',')
    def unknown = commands.findAll { command -> !(command in ['motif', 'match', 'guides', 'map']) }
    if (unknown || !commands) {
        error("--command takes motif, match, guides, map, or several with commas between them, not '${params.command}'")
    }
    // In the strict parser, parameters from the command line may be text.
    def chunks = params.chunks.toString().toInteger()
    def paired = params.paired.toString().toBoolean()
    def regions = params.regions ? file(params.regions, checkIfExists: true) : []

    // The files to cut: genomes for motif, match and guides, reads for map. Each item is meta, files, their indexes.
    def texts = channel.empty()
    if (commands.any { command -> command != 'map' }) {
        texts = texts.mix(
            channel.fromPath(needed('genome', params.command), checkIfExists: true)
                .map { fasta -> [[id: fasta.simpleName, kind: 'genome'], fasta, indexes(fasta)] }
        )
    }
    if ('map' in commands && paired) {
        texts = texts.mix(
            channel.fromFilePairs(needed('reads', 'map'), checkIfExists: true)
                .map { id, mates -> [[id: id, kind: 'reads', single_end: false], mates, []] }
        )
    }
    else if ('map' in commands) {
        texts = texts.mix(
            channel.fromPath(needed('reads', 'map'), checkIfExists: true)
                .map { reads -> [[id: reads.simpleName, kind: 'reads', single_end: true], reads, []] }
        )
    }

    // For pairs, the plan is made of the first mates; the second are cut at the same records.
    BASESWEEP_PLAN(
        texts.map { meta, files, index ->
            [meta, files instanceof List ? files[0] : files, index, meta.kind == 'genome' ? regions : []]
        },
        chunks
    )

    def pieces = texts
        .join(BASESWEEP_PLAN.out.plan, failOnDuplicate: true, failOnMismatch: true)
        .flatMap { meta, files, index, plan ->
            (1..chunks).collect { i -> [meta + [chunk: i], files, index, plan, "${i}/${chunks}".toString()] }
        }
        .branch { meta, _files, _index, _plan, _chunk ->
            genome: meta.kind == 'genome'
            reads: true
        }

    def hits = channel.empty()
    def versions = BASESWEEP_PLAN.out.versions_basesweep
    if ('motif' in commands) {
        BASESWEEP_MOTIF(
            pieces.genome.map { meta, text, index, plan, chunk -> [meta + [command: 'motif'], text, index, plan, chunk] },
            named(needed('motifs', 'motif')),
            params.motif_format
        )
        hits = hits.mix(BASESWEEP_MOTIF.out.hits.map { meta, part -> [meta, part, params.motif_format] })
        versions = versions.mix(BASESWEEP_MOTIF.out.versions_basesweep)
    }
    if ('match' in commands) {
        BASESWEEP_MATCH(
            pieces.genome.map { meta, text, index, plan, chunk -> [meta + [command: 'match'], text, index, plan, chunk] },
            named(needed('primers', 'match')),
            params.match_format
        )
        hits = hits.mix(BASESWEEP_MATCH.out.hits.map { meta, part -> [meta, part, params.match_format] })
        versions = versions.mix(BASESWEEP_MATCH.out.versions_basesweep)
    }
    if ('guides' in commands) {
        // Without a library, each chunk designs the guides of its part of the genome (conf/modules.config).
        BASESWEEP_GUIDES(
            pieces.genome.map { meta, text, index, plan, chunk -> [meta + [command: 'guides'], text, index, plan, chunk] },
            params.guides ? named(params.guides) : [[id: 'design'], []],
            ''
        )
        hits = hits.mix(BASESWEEP_GUIDES.out.table.map { meta, part -> [meta, part, params.guides_format] })
        versions = versions.mix(BASESWEEP_GUIDES.out.versions_basesweep)
    }
    if ('map' in commands) {
        def reference = named(needed('genome', 'map'))
        BASESWEEP_MAP(
            pieces.reads.map { meta, reads, _index, plan, chunk -> [meta + [command: 'map'], reads, plan, chunk] },
            reference + [indexes(reference[1])],
            params.map_format
        )
        hits = hits.mix(BASESWEEP_MAP.out.alignments.map { meta, part -> [meta, part, params.map_format] })
        versions = versions.mix(BASESWEEP_MAP.out.versions_basesweep)
    }

    // Parts arrive as their tasks end. In order of chunks the input of a merge is the same in every run, so that -resume
    // finds it done.
    def parts = hits
        .map { meta, part, suffix -> [meta.findAll { key, _value -> key != 'chunk' }, suffix, [meta.chunk, part]] }
        .groupTuple(by: [0, 1], size: chunks)
        .map { meta, suffix, numbered ->
            [meta, numbered.toSorted { a, b -> a[0] <=> b[0] }.collect { pair -> pair[1] }, suffix]
        }
    BASESWEEP_MERGE(parts)

    // The modules send these to the topic `versions` too. To read a topic takes a feature flag in 24.10 that later
    // versions refuse; so the example takes them from the outputs.
    versions.mix(BASESWEEP_MERGE.out.versions_basesweep)
        .unique()
        .map { process, tool, version -> "${process.tokenize(':').last()}:\n  ${tool}: ${version}\n" }
        .collectFile(name: 'basesweep_mqc_versions.yml', storeDir: "${params.outdir}/pipeline_info", sort: true)
}
