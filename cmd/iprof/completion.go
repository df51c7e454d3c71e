package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/exporter"
	"example.com/iprof/internal/framefile"
)

// completeVerb is the command that the shells' scripts call with the words so far. It prints the candidates for the
// last word, a line each. If it prints nothing, the shells complete files.
const completeVerb = "__complete"

// scripts are the completion scripts of the shells. They quote words, because names of zones have spaces, stars and
// parentheses.
var scripts = map[string]string{
	"bash": `_iprof() {
	local line
	COMPREPLY=()
	while IFS= read -r line; do
		[[ $line == -* ]] || printf -v line %q "$line"
		COMPREPLY+=("$line")
	done < <(iprof __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _iprof iprof
`,
	"zsh": `#compdef iprof
_iprof() {
	local -a found
	found=("${(@f)$(iprof __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ -n $found ]]; then compadd -- "${found[@]}"; else _files; fi
}
if [[ $funcstack[1] == _iprof ]]; then _iprof "$@"; else compdef _iprof iprof; fi
`,
	"fish": `complete -c iprof -n __fish_use_subcommand -f
complete -c iprof -a '(iprof __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
	"powershell": `Register-ArgumentCompleter -Native -CommandName iprof -ScriptBlock {
	param($word, $line, $cursor)
	$words = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.StartOffset -lt $cursor } |
		ForEach-Object {
			if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { "$_" }
		})
	if ($word -eq '') { $words += '--new' }
	iprof __complete @words | ForEach-Object {
		$text = $_
		if ($text -match '[^-\w./:=+]') { $text = "'" + ($text -replace "'", "''") + "'" }
		[System.Management.Automation.CompletionResult]::new($text, $_, 'ParameterValue', $_)
	}
}
`,
}

// completion is the command completion. It prints the script for a shell.
func completion(args []string) int {
	f := newFlags("completion")
	if err := parseFlags(f, args); err != nil {
		return usageStatus(err)
	}
	script := scripts[f.Arg(0)]
	if f.NArg() != 1 || script == "" {
		stderr.Println("usage: iprof completion " + ofShell + "; for bash: source <(iprof completion bash)")
		return 2
	}
	_, err := fmt.Fprint(stdout, script)
	return status(err)
}

// complete is the command that the scripts call.
func complete(words []string) int {
	if n := len(words); n > 0 && words[n-1] == "--new" { // some versions of PowerShell pass no empty word on
		words[n-1] = ""
	}
	for _, candidate := range candidates(words) {
		stdout.Println(candidate)
	}
	return 0
}

// candidates returns the completions of the last word.
func candidates(words []string) (found []string) {
	if len(words) == 0 {
		return nil
	}
	before, last := words[:len(words)-1], words[len(words)-1]
	switch {
	case len(before) == 0, len(before) == 1 && before[0] == "help":
		for _, c := range commands {
			found = append(found, c.name)
		}
	case before[0] == "completion":
		found = strings.Split(ofShell, "|")
	case find(before[0]) == nil:
	case strings.HasPrefix(last, "-"):
		found = flagNames(before[0], strings.HasPrefix(last, "--"))
	case before[0] == "export" && slices.Contains([]string{"-format", "--format"}, before[len(before)-1]):
		for _, f := range exporter.Formats {
			found = append(found, f.Name)
		}
	case before[0] == "graph" && !slices.ContainsFunc(before[1:], isArgument):
		found = zoneNames(newestCapture())
	}
	return slices.DeleteFunc(found, func(s string) bool { return !strings.HasPrefix(s, last) })
}

func isArgument(word string) bool { return !strings.HasPrefix(word, "-") }

// flagNames returns the flags of a command. For run, build and test it adds the flags of the go command.
func flagNames(name string, two bool) (names []string) {
	dash := "-"
	if two {
		dash = "--"
	}
	described = func(f *flag.FlagSet) {
		f.VisitAll(func(l *flag.Flag) { names = append(names, dash+l.Name) })
	}
	defer func() { described = nil }()
	find(name).run(nil)
	if slices.Contains([]string{"run", "build", "test"}, name) {
		known, _ := readGoFlags(name)
		for flag := range known {
			names = append(names, dash+flag)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// newestCapture returns the newest capture in the working directory.
func newestCapture() string {
	names, _ := filepath.Glob("*.iprof")
	at := func(name string) time.Time {
		info, err := os.Stat(name)
		if err != nil {
			return time.Time{}
		}
		return info.ModTime()
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(at(b).Compare(at(a)), cmp.Compare(a, b)) })
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// mostCompleted limits the search for names of zones: the user waits for it.
const mostCompleted = time.Second

// zoneNames returns the zones in the first frames of a capture.
func zoneNames(path string) (names []string) {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	r, err := framefile.NewReader(file)
	if err != nil {
		return nil
	}
	start, errEnough := time.Now(), fmt.Errorf("enough")
	var all exporter.Selection
	_ = all.Each(r, func(f *gather.Frame) error {
		for _, z := range f.Zones {
			names = append(names, z.Name)
		}
		slices.Sort(names)
		names = slices.Compact(names)
		if time.Since(start) > mostCompleted {
			return errEnough
		}
		return nil
	})
	return names
}
