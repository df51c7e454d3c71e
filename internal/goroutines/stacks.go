package goroutines

import (
	"bytes"
	"strconv"
	"strings"

	"example.com/iprof/gather"
)

// one is a goroutine, as the runtime prints it.
type one struct {
	id      uint64
	state   string // the runtime's words, such as "chan send"
	minutes int    // since a collection found it waiting, as far as it has
	leaked  bool
	crowd   string // the go statement, such as "main.serve server.go:42"; else the function that it runs
	creator string // the function with the go statement, with its package's path; "" if not known
	place   string // of its wait, such as "pool.go:40"
}

// each calls take with each goroutine of a text of runtime.Stack. A text that was cut ends with a goroutine that is not
// whole, which it leaves out if cut is true.
func each(text []byte, cut bool, take func(g *one)) {
	for len(text) > 0 {
		block, rest, more := bytes.Cut(text, []byte("\n\n"))
		if text = rest; !more && cut {
			return
		}
		if g, ok := parse(block); ok {
			take(&g)
		}
	}
}

// parse reads one goroutine. ok is false for a text of another form.
func parse(block []byte) (g one, ok bool) {
	head, stack, _ := strings.Cut(string(block), "\n")
	if ok = g.head(head); ok {
		g.stack(stack)
	}
	return g, ok
}

// head reads a line such as "goroutine 7 [chan send (leaked), 5 minutes, locked to thread]:".
func (g *one) head(line string) bool {
	rest, ok := strings.CutPrefix(line, "goroutine ")
	number, words, found := strings.Cut(rest, " ")
	at := strings.IndexByte(words, '[')
	id, err := strconv.ParseUint(number, 10, 64)
	if !ok || !found || at < 0 || err != nil {
		return false
	}
	words, _, _ = strings.Cut(words[at+1:], "]")
	words, _, _ = strings.Cut(words, " labels:{")
	state, others, _ := strings.Cut(words, ", ")
	g.id = id
	for _, word := range strings.Split(others, ", ") {
		if n, isTime := strings.CutSuffix(word, " minutes"); isTime {
			g.minutes, _ = strconv.Atoi(n)
		}
	}
	state, _ = strings.CutSuffix(state, " (scan)")
	state, _ = strings.CutSuffix(state, " (durable)")
	g.state, g.leaked = strings.CutSuffix(state, " (leaked)")
	return true
}

// stack reads the lines of functions and places, the innermost first, and the go statement at the end.
func (g *one) stack(text string) {
	root := ""
	for text != "" {
		function, place := "", ""
		function, text, _ = strings.Cut(text, "\n")
		if strings.HasPrefix(function, "...") { // frames that the runtime left out
			continue
		}
		place, text, _ = strings.Cut(text, "\n")
		place = baseOf(place)
		if creator, found := strings.CutPrefix(function, "created by "); found {
			creator, _, _ = strings.Cut(creator, " in goroutine ")
			g.creator, g.crowd = creator, short(creator)+" "+place
			break
		}
		if at := strings.LastIndexByte(function, '('); at > 0 {
			function = function[:at]
		}
		if g.place == "" && !ofLibrary(function) {
			g.place = place
		}
		root = function
	}
	if g.crowd == "" {
		g.crowd = short(root)
	}
}

// baseOf returns "pool.go:40" of a line "\t/home/ann/pool.go:40 +0x1d".
func baseOf(line string) string {
	line = strings.TrimSpace(line)
	if at := strings.LastIndex(line, " +0x"); at >= 0 {
		line = line[:at]
	}
	return line[strings.LastIndexAny(line, `/\`)+1:]
}

// short returns a function without the path of its package, as names of lanes have it.
func short(function string) string { return function[strings.LastIndexByte(function, '/')+1:] }

// packageOf returns the path of a function's package: "net/http" of "net/http.(*conn).serve".
func packageOf(function string) string {
	z := gather.ZoneInfo{Function: function}
	return z.Package()
}

// ofLibrary reports whether a function is of a package of Go's library in which goroutines wait for others.
func ofLibrary(function string) bool {
	first, _, _ := strings.Cut(packageOf(function), "/")
	switch first {
	case "runtime", "internal", "sync", "time", "syscall", "os", "io", "bufio", "net", "crypto", "context", "testing":
		return true
	}
	return false
}

// module is the path of the profiler's module.
const module = "example.com/iprof"

// isOurs reports whether the profiler made a goroutine, by the function with the go statement. Its examples and its
// tests are programs like others.
func isOurs(creator string) bool {
	of := packageOf(creator)
	rest, inside := strings.CutPrefix(of, module)
	if !inside || rest != "" && rest[0] != '/' || strings.HasSuffix(of, "_test") {
		return false
	}
	return !strings.HasPrefix(rest, "/examples/") && !strings.HasPrefix(rest, "/cmd/")
}
