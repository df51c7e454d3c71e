package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"example.com/iprof/internal/beside"
)

// besideMore is the help text of the commands of iprof-query where that is missing.
const besideMore = `The program iprof-query has this command and its flags. It is not beside iprof: in the sources
of iprof, make install puts it there; or, with Go 1.26, go build -C cmd/iprof-query -o DIR, with iprof's folder.`

// beyond returns a command that iprof-query runs: a program of its own, because its libraries are large and need a
// newer Go than this module.
func beyond(name string) func(args []string) int {
	return func(args []string) int {
		path, err := beside.Only("iprof-query")
		if described != nil || err != nil && asksHelp(args) {
			return usageStatus(parseFlags(flagsBeyond(path, name), []string{"-h"}))
		}
		if err != nil {
			return fail(fmt.Errorf("%w, which runs iprof %s: in the sources of iprof, make install puts it beside "+
				"iprof; or, with Go 1.26, run go build -C cmd/iprof-query -o that folder", err, name))
		}
		cmd := exec.Command(path, append([]string{name}, args...)...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		return status(wait(cmd, separateSignals(cmd), func() {}, func() error { return nil }))
	}
}

// flagsBeyond returns the names of the flags of a command, none without the program.
func flagsBeyond(path, name string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	if path != "" {
		names, _ := exec.Command(path, "__flags", name).Output()
		for _, flag := range strings.Fields(string(names)) {
			f.String(flag, "", "")
		}
	}
	return f
}

// asksHelp reports whether a command line only asks for help.
func asksHelp(args []string) bool {
	return len(args) == 1 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help")
}
