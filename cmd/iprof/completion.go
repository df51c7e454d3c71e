package main

import (
	"strings"
)

// scripts are what the shells read for completion. %s is the list of commands.
var scripts = map[string]string{
	"bash": "complete -o default -W %q iprof\n",
	"zsh":  "#compdef iprof\n_iprof() { _arguments '1:command:(%s)' '*:file:_files' }\ncompdef _iprof iprof\n",
	"fish": "complete -c iprof -n __fish_use_subcommand -a %q\n",
}

// completion is the command completion. It prints the script for a shell.
func completion(args []string) int {
	if len(args) != 1 || scripts[args[0]] == "" {
		stderr.Println("usage: iprof completion bash|zsh|fish; for bash: source <(iprof completion bash)")
		return 2
	}
	names := []string{"completion", "help"}
	for _, c := range commands {
		names = append(names, c.name)
	}
	stdout.Printf(scripts[args[0]], strings.Join(names, " "))
	return 0
}
