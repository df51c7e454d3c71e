// Command iprof profiles a Go program without changes to its source.
//
//	iprof run ./cmd/game -level 3     # builds it with zones in its functions, runs it, reports
//	iprof build -o game ./cmd/game    # only builds it
//	iprof test ./physics -run Step    # the zones of a test
//
// See "iprof help".
package main

import (
	"os"
	"slices"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/version"
)

// commands are the commands, in the order of the usage.
var commands = []struct {
	name, words string
	run         func(args []string) int
}{
	{"run", "build a program with zones in its functions, and run it", launcher("run")},
	{"build", "build a program with zones in its functions", launcher("build")},
	{"test", "run tests or benchmarks with zones in the functions", launcher("test")},
	{"top", "zones of a capture by self time, in the average of all frames", show("top", top)},
	{"tree", "call trees of a capture", show("tree", tree)},
	{"frames", "the slowest frames of a capture", show("frames", slowest)},
	{"verdicts", "why the frames over budget of a capture were slow, a sentence each", show("verdicts", verdicts)},
	{"graph", "callers and callees of a zone in a capture: iprof graph ZONE CAPTURE", graph},
	{"diff", "what became slower from one capture to another; status 1 if anything did", diff},
	{"html", "a capture as one page", show("html", page)},
	{"export", "a capture for another tool: pprof, Perfetto, speedscope and more", exportFile},
	{"import", "a capture from a trace of Chrome or of Go; other commands take such a file as it is, too", importFile},
	{"json", "a capture as one JSON object", show("json", jsonObject)},
	{"record", "the next 10 seconds of a program elsewhere, as a capture: HOST:PORT -o FILE -for 10s", record},
	{"live", "the page of a program elsewhere, in this terminal: HOST:PORT", live},
	{"serve", "a capture, or a program elsewhere, as pages in a browser of this machine", serve},
	{"view", "a capture, or a program elsewhere, in the window of glviewer", view},
	{"version", "which build this is, also -v and --version", printVersion},
}

func printVersion([]string) int {
	stdout.Println(version.Line("iprof"))
	return 0
}

func launcher(verb string) func(args []string) int {
	return func(args []string) int { return launch(verb, args) }
}

func main() {
	if len(os.Args) < 2 || os.Args[1] == "help" || os.Args[1] == "-h" || os.Args[1] == "--help" {
		usage(stdout)
		return
	}
	name := os.Args[1]
	switch name {
	case "completion":
		os.Exit(completion(os.Args[2:]))
	case "-version", "--version", "-v":
		name = "version"
	}
	help := len(os.Args) > 2 && slices.Contains([]string{"-h", "-help", "--help"}, os.Args[2])
	if help && slices.Contains([]string{"run", "build", "test"}, os.Args[1]) { // the others have flags of their own
		usage(stdout)
		return
	}
	if name == instrument.ToolVerb {
		os.Exit(status(instrument.Tool(os.Args[2:])))
	}
	for _, c := range commands {
		if c.name == name {
			os.Exit(c.run(os.Args[2:]))
		}
	}
	stderr.Printf("iprof: there is no command %q\n", name)
	usage(stderr)
	os.Exit(2)
}
