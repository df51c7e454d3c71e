// Command iprof profiles a Go program without changes to its source.
//
//	iprof run ./cmd/game -level 3     # builds it with zones in its functions, runs it, reports
//	iprof build -o game ./cmd/game    # only builds it
//	iprof test ./physics -run Step    # the zones of a test
//
// See "iprof help", and "iprof help run" for one command.
package main

import (
	"os"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/tables"
	"example.com/iprof/internal/version"
)

// entry is one command.
type entry struct {
	name, words string
	arguments   string // in its usage
	more        string // below the flags in its help
	run         func(args []string) int
}

// commands are the commands, in the order of the usage. init sets it, because their functions read it, too.
var commands []entry

func init() {
	commands = []entry{
		{"run", "build a program with zones in its functions, and run it", ofProgram, runMore, launcher("run")},
		{"build", "build a program with zones in its functions", ofPackages, runMore, launcher("build")},
		{"test", "run tests or benchmarks with zones in the functions", ofTests, runMore, launcher("test")},
		reads("top"), reads("tree"), reads("frames"), reads("verdicts"), reads("graph"),
		reads("calls"), reads("lanes"), reads("forks"), reads("gain"), reads("waits"), reads("locks"), reads("memory"),
		reads("hot"), reads("values"), reads("marks"),
		{"diff", "compare two captures; status 1 if a zone became slower", ofTwo, diffMore, diff},
		{"html", tables.Page.Words, ofFile, "", page},
		{"export", tables.Export.Words, ofFile + " [OUT]",
			exportMore(), exportFile},
		{"import", "make a capture from a trace of Chrome or Go; other commands also read such files directly",
			"[flags] TRACE CAPTURE", importMore, importFile},
		{"sql", "list rows of captures by a query in SQL", "[flags] CAPTURE ... QUERY", besideMore, beyond("sql")},
		{"parquet", "write captures as files of Parquet, which the engines of a fleet read",
			"[flags] -out DIR CAPTURE ...", besideMore, beyond("parquet")},
		{"mcp", "serve captures to agents", "[flags] FOLDER ...", besideMore, beyond("mcp")},
		{"record", "record the next seconds of a remote program in a capture", "[flags] HOST:PORT", "", record},
		{"live", "show a remote program live in this terminal", "[flags] HOST:PORT", "", live},
		{"serve", "serve captures and remote programs to a browser on this machine", ofFile + " ...",
			serveMore, serve},
		{"view", "show captures and remote programs in glviewer or in the browser",
			ofFile + " ...", viewMore, view},
		{"clean", "remove and list the files that iprof keeps in the user's cache", "[-n]", cleanMore, clean},
		{"version", "print the version; -v and --version do the same", "", "", printVersion},
		{"completion", "print a shell script that completes commands, flags, files and zones", ofShell,
			completionMore, completion},
		{"help", "print this list, or the flags of one command: iprof help run", "[COMMAND]", "", help},
	}
}

const (
	ofProgram  = "[flags] [PACKAGE | PACKAGE@VERSION | FILE.go ...] [ARGUMENTS OF THE PROGRAM]"
	ofPackages = "[flags] [PACKAGES]"
	ofTests    = "[flags] [PACKAGES] [FLAGS OF GO TEST]"
	ofCapture  = "CAPTURE|HOST:PORT"
	ofFile     = "[flags] " + ofCapture
	ofTwo      = "[flags] BEFORE AFTER"
	ofShell    = "bash|zsh|fish|powershell"
)

func printVersion(args []string) int {
	if err := parseFlags(newFlags("version"), args); err != nil {
		return usageStatus(err)
	}
	stdout.Println(version.Line("iprof"))
	return 0
}

func launcher(verb string) func(args []string) int {
	return func(args []string) int { return launch(verb, args) }
}

func main() { os.Exit(unprinted(dispatch(os.Args[1:]))) }

// dispatch runs the command of a command line and returns the exit status.
func dispatch(args []string) int {
	if len(args) == 0 {
		return help(nil)
	}
	name, args := args[0], args[1:]
	switch name {
	case "-v", "-version", "--version":
		name = "version"
	case "-h", "-help", "--help":
		name = "help"
	case instrument.ToolVerb:
		return status(instrument.Tool(args))
	case completeVerb:
		return complete(args)
	}
	if c := find(name); c != nil {
		return c.run(args)
	}
	stderr.Printf("iprof: there is no command %q; did you mean iprof %s? iprof help lists all\n", name,
		nearCommand(name))
	return 2
}

// find returns the command of that name, or nil.
func find(name string) *entry {
	for i := range commands {
		if commands[i].name == name {
			return &commands[i]
		}
	}
	return nil
}

// help is the command help: of one command, or of all.
func help(args []string) int {
	if len(args) == 0 {
		usage(stdout)
		return 0
	}
	c := find(args[0])
	if c == nil {
		stderr.Printf("iprof: there is no command %q; did you mean iprof help %s?\n", args[0], nearCommand(args[0]))
		return 2
	}
	if c.name == "help" {
		return help(nil)
	}
	return c.run([]string{"-h"})
}
