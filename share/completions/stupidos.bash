# bash completion of stupidos. Written by `stupidos clean --completion SHELL`, from its parsers.
# Installed with the package; to use it from a checkout, source it.

_stupidos_offer() {
    COMPREPLY=($(compgen -W "$1" -- "${COMP_WORDS[COMP_CWORD]}"))
}

_stupidos_offer_or_file() {
    local word=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=($(compgen -W "$1" -- "$word") $(compgen -f -- "$word"))
}

_stupidos() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} subcommand=${COMP_WORDS[1]}
    if [[ $COMP_CWORD -eq 1 ]]; then
        _stupidos_offer "render clean train models evaluate tune explain annotate --help --version"
        return
    fi
    case "$subcommand $before" in
        "render --format") _stupidos_offer "text cleaneval jsonl"; return ;;
        "render --input") _stupidos_offer "auto html text"; return ;;
        "render --br") _stupidos_offer "paragraph line"; return ;;
        "clean --model") _stupidos_offer_or_file "keep-all rules boilerpipe boilerpipe-words boilerpipe-article boilerpipe-largest boilerpipe-cleaneval boilerpipe-1r boilerpipe-10-words bte tree fiasco simplified standard stupidos-2007 text web"; return ;;
        "clean --format") _stupidos_offer "text cleaneval jsonl markdown html vertical tei"; return ;;
        "clean --input") _stupidos_offer "auto html text jsonl warc"; return ;;
        "clean --br") _stupidos_offer "paragraph line"; return ;;
        "clean --links") _stupidos_offer "keep text drop"; return ;;
        "clean --images") _stupidos_offer "keep alt drop"; return ;;
        "clean --text-format") _stupidos_offer "text markdown html"; return ;;
        "clean --title") _stupidos_offer "auto keep drop"; return ;;
        "clean --metadata") _stupidos_offer "keep drop"; return ;;
        "clean --comments") _stupidos_offer "auto keep drop"; return ;;
        "clean --convention") _stupidos_offer "auto article page discussion"; return ;;
        "clean --fields") _stupidos_offer "keep drop"; return ;;
        "clean --completion") _stupidos_offer "bash zsh fish"; return ;;
        "train --alphabet") _stupidos_offer "ascii simplified vowels unicode"; return ;;
        "train --dirty") _stupidos_offer "differential aligned published"; return ;;
        "train --pos") _stupidos_offer "en de nl"; return ;;
        "evaluate --model") _stupidos_offer_or_file "keep-all rules boilerpipe boilerpipe-words boilerpipe-article boilerpipe-largest boilerpipe-cleaneval boilerpipe-1r boilerpipe-10-words bte tree fiasco simplified standard stupidos-2007 text web"; return ;;
        "evaluate --align") _stupidos_offer "difflib lcs"; return ;;
        "evaluate --input") _stupidos_offer "auto html text"; return ;;
        "evaluate --br") _stupidos_offer "paragraph line"; return ;;
        "evaluate --comments") _stupidos_offer "auto keep drop"; return ;;
        "evaluate --convention") _stupidos_offer "auto article page discussion"; return ;;
        "tune --alphabet") _stupidos_offer "ascii simplified vowels unicode"; return ;;
        "tune --dirty") _stupidos_offer "differential published"; return ;;
        "tune --objective") _stupidos_offer "entropy f"; return ;;
        "explain --model") _stupidos_offer_or_file "keep-all rules boilerpipe boilerpipe-words boilerpipe-article boilerpipe-largest boilerpipe-cleaneval boilerpipe-1r boilerpipe-10-words bte tree fiasco simplified standard stupidos-2007 text web"; return ;;
        "explain --input") _stupidos_offer "auto html text"; return ;;
        "explain --br") _stupidos_offer "paragraph line"; return ;;
        "explain --comments") _stupidos_offer "auto keep drop"; return ;;
        "explain --convention") _stupidos_offer "auto article page discussion"; return ;;
        "annotate --model") _stupidos_offer_or_file "keep-all rules boilerpipe boilerpipe-words boilerpipe-article boilerpipe-largest boilerpipe-cleaneval boilerpipe-1r boilerpipe-10-words bte tree fiasco simplified standard stupidos-2007 text web"; return ;;
        "annotate --input") _stupidos_offer "auto html text"; return ;;
        "annotate --br") _stupidos_offer "paragraph line"; return ;;
    esac
    case "$subcommand" in
        render) local options="--help -h --format --input --br --alt --hidden --controls" words="" ;;
        clean) local options="--help -h --model --format --input --br --keep-dirty --links --images --segments --text-format --standalone --min-confidence --min-precision --min-recall --lang --title --metadata --front-matter --threshold --precision --recall --comments --convention --without-rule --ancestor --visual --output -o --jobs --resume --unordered --compress-level --shard --files-from --field --separator --fields --timeout --max-bytes --completion" words="" ;;
        train) local options="--help -h --output -o --alphabet --simplified -n -q --dirty --web --sites --fiasco --visual --pos --reference" words="" ;;
        models) local options="--help -h --most" words="show" ;;
        evaluate) local options="--help -h --model --json --plot --groups --baseline --jobs --cross-validate --folds --sites --align --unlabelled --ascii --input --br --threshold --precision --recall --comments --convention --without-rule --ancestor --visual" words="" ;;
        tune) local options="--help -h -n -q --alphabet --simplified --dirty --grid --plot --objective --gold" words="" ;;
        explain) local options="--help -h --output -o --model --visual --input --br --threshold --precision --recall --comments --convention --without-rule --ancestor" words="" ;;
        annotate) local options="--help -h --model --visual --input --br --second --agreement --accepted --annotator --host --port --no-browser" words="" ;;
    esac
    if [[ $word == -* ]]; then
        _stupidos_offer "$options"
    else
        COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word"))
    fi
}
complete -o filenames -o bashdefault -F _stupidos stupidos
