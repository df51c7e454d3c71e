// Command iprof-query asks captures questions: in SQL, as Parquet files for other engines, and for agents.
//
//	iprof sql game.iprof "select zone, self_ms from zones"
//	iprof parquet -out lake game.iprof
//	iprof mcp .
//
// iprof starts it for these commands, if it lies beside iprof or in ../libexec/iprof. It is a program of its own,
// because its libraries are large and need Go 1.26.
package main

import (
	"fmt"
	"os"

	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/version"
)

// commands are the commands, by name. Each takes the arguments after the name, and returns the exit status.
var commands = map[string]func(args []string) int{
	"sql":     sqlCommand,
	"parquet": parquetCommand,
	"mcp":     mcp,
}

// flagsVerb is what iprof calls to complete flags: it prints those of a command, a line each.
const flagsVerb = "__flags"

// stderr escapes control characters: names, paths and errors may be hostile.
var stderr = printed.To(os.Stderr)

func main() {
	args := os.Args[1:]
	if len(args) > 0 && (args[0] == "-version" || args[0] == "--version" || args[0] == "-v") {
		if _, err := fmt.Println(version.Line("iprof-query")); err != nil {
			fmt.Fprintln(os.Stderr, "iprof-query:", err)
			os.Exit(1)
		}
		return
	}
	if len(args) == 2 && args[0] == flagsVerb && commands[args[1]] != nil {
		naming = true
		os.Exit(commands[args[1]](nil))
	}
	if len(args) > 0 && commands[args[0]] != nil {
		os.Exit(commands[args[0]](args[1:]))
	}
	fmt.Fprintln(os.Stderr, "usage: iprof-query sql|parquet|mcp ...; iprof sql, iprof parquet and iprof mcp start it")
	os.Exit(2)
}
