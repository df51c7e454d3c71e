package instrument_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/auto"
	"example.com/iprof/internal/instrument"
)

// forms writes functions from all forms of statements that can hold a wait. Each function ends, and what it logs is
// the same in each run.
type forms struct {
	r     *rand.Rand
	b     strings.Builder
	names int // of variables and labels so far
	loops []string
	leaps bool // with a goto, over which no declaration may stand
	plain bool // in a function literal of another goroutine, which returns nothing
}

// formsHead has what the functions use. A channel of chanOf is filled and closed, so a receive from it ends at once.
const formsHead = `package main

import (
	"fmt"
	"iter"
	"net"
	"os"
	"sync"
	"time"
)

type trace struct {
	text []byte
	left int
	c    chan int
	out  chan int
	list []chan int
	wg   sync.WaitGroup
	conn net.Conn
	never chan int
}

func chanOf(n int) chan int {
	c := make(chan int, n)
	for i := range n {
		c <- i
	}
	close(c)
	return c
}

func newTrace() *trace {
	a, b := net.Pipe()
	go func() {
		for range 1000 {
			_, _ = b.Write([]byte("x"))
		}
		b.Close()
	}()
	return &trace{left: 60, c: chanOf(9), out: make(chan int, 10000), list: []chan int{chanOf(3), chanOf(5)}, conn: a}
}

func (t *trace) log(list ...any) {
	if len(t.text) < 5000 {
		t.text = append(t.text, fmt.Sprintln(list...)...)
	}
}

func (t *trace) more() bool { t.left--; return t.left > 0 }

func (t *trace) get() chan int { t.log("get"); return t.list[1] }

func (t *trace) of(x int) int { t.log("of", x); return x }

func (t *trace) yes(x int) bool { t.log("yes", x); return x%2 == 0 }

func (t *trace) seq(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer t.log("end of seq")
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func (t *trace) two(c chan int) iter.Seq2[int, bool] {
	return func(yield func(int, bool) bool) {
		for {
			if v, ok := <-c; !yield(v, ok) || !ok {
				t.log("left")
				return
			}
		}
	}
}

type group struct{}

func (group) Wait() error { return nil }

func try(f func(*trace) int) {
	t := newTrace()
	defer func() {
		if r := recover(); r != nil {
			t.log("panic", r)
		}
		os.Stdout.Write(t.text)
		fmt.Println(t.left, len(t.out))
	}()
	t.log("result", f(t))
	time.Sleep(0)
}
`

// program returns a program of n functions.
func (g *forms) program(n int) string {
	g.b.WriteString(formsHead)
	var calls strings.Builder
	for i := range n {
		name := fmt.Sprintf("f%d", i)
		g.leaps, g.names, g.loops = g.r.IntN(6) == 0, 0, nil
		switch g.r.IntN(6) {
		case 0:
			fmt.Fprintf(&g.b, "\nvar %s = func(t *trace) int {\n", name)
		case 1:
			fmt.Fprintf(&g.b, "\nfunc %s[T any](t *trace) int {\n", name)
			name += "[string]"
		case 2:
			const text = "\nfunc %s(t *trace) (result int) {\n\tdefer func() { result++; t.log(recover()) }()\n"
			fmt.Fprintf(&g.b, text, name)
		default:
			fmt.Fprintf(&g.b, "\nfunc %s(t *trace) int {\n", name)
		}
		fmt.Fprintf(&calls, "\tfmt.Println(%q)\n\ttry(%s)\n", name, name)
		if g.leaps {
			g.b.WriteString("\tgoto first\nfirst:\n\tt.log()\n")
		}
		g.block(3)
		g.end(2)
		g.b.WriteString("}\n")
	}
	return g.b.String() + "\nfunc main() {\n" + calls.String() + "}\n"
}

func (g *forms) line(format string, args ...any) {
	fmt.Fprintf(&g.b, format+"\n", args...)
}

func (g *forms) name(begin string) string {
	g.names++
	return fmt.Sprintf("%s%d", begin, g.names)
}

func (g *forms) pick(list ...string) string { return list[g.r.IntN(len(list))] }

// channel returns an expression of a channel.
func (g *forms) channel() string {
	return g.pick("t.c", "t.c", "t.list[0]", "t.get()", "(t.c)", "t.list[(<-t.c)&1]", "chanOf(2)")
}

// value returns an expression of an int.
func (g *forms) value() string {
	c := g.channel()
	return g.pick("<-"+c, "<-"+c, "(<-"+c+")", "t.of(<-"+c+")", "-<-"+c, "<-"+c+" + t.of(1)", "len(t.out)", "7",
		"max(<-"+c+", 3)", "[]int{<-"+c+"}[0]", "func() int { return <-"+c+" }()", "(<-"+c+")<<1")
}

// condition returns an expression of a bool.
func (g *forms) condition() string {
	return g.pick(g.value()+" > 1", "t.yes("+g.value()+")", "t.more() && "+g.value()+" >= 0", "t.left%3 == 0")
}

// simple returns a simple statement, for a head or a block, and the variable that it declares.
func (g *forms) simple() (text, declared string) {
	v, ok := g.name("v"), g.name("ok")
	c := g.channel()
	switch g.r.IntN(13) {
	case 0, 1, 2:
		return fmt.Sprintf("%s, %s := %s", v, ok, g.pick("<-"+c, "(<-"+c+")", "<-(("+c+"))")), v + ", " + ok
	case 3:
		return v + " := " + g.value(), v
	case 4:
		return "<-" + c, ""
	case 5:
		return "(<-" + c + ")", ""
	case 6:
		return "t.out <- " + g.value(), ""
	case 7:
		return "t.left, _ = <-" + c, ""
	case 8:
		return fmt.Sprintf("%s := (group{}).Wait()", v), v
	case 9:
		return fmt.Sprintf("%s, %s := t.conn.Read(make([]byte, 1))", v, ok), v + ", " + ok
	case 10:
		return "t.left -= " + g.value() + " & 1", ""
	case 11:
		return "t.wg.Wait()", ""
	}
	return "t.log(" + g.value() + ", " + g.value() + ")", ""
}

// head returns the beginning of a head, "" or a simple statement with its semicolon, and a use of its variable.
func (g *forms) head() (text, use string) {
	if g.r.IntN(4) == 0 {
		return "", ""
	}
	text, declared := g.simple()
	if declared != "" {
		use = "t.log(" + declared + ")"
	}
	return text + g.pick("; ", " /* ; */ ; "), use
}

// block writes the statements of a block.
func (g *forms) block(depth int) {
	for range 1 + g.r.IntN(3) {
		g.statement(depth)
	}
}

// body writes a block in braces. first is its first statement.
func (g *forms) body(depth int, first string) {
	g.line("{")
	if first != "" {
		g.line("%s", first)
	}
	if g.r.IntN(8) > 0 {
		g.block(depth - 1)
	}
	g.b.WriteString("}")
}

func (g *forms) statement(depth int) {
	if depth <= 0 {
		g.small()
		return
	}
	switch g.r.IntN(14) {
	case 0, 1:
		g.ifs(depth)
	case 2:
		g.switches(depth)
	case 3:
		g.typeSwitch(depth)
	case 4, 5:
		g.fors(depth)
	case 6, 7:
		g.ranges(depth)
	case 8, 9:
		g.selects(depth)
	case 10:
		g.goroutine(depth)
	case 11:
		g.line("{")
		g.block(depth - 1)
		g.line("}")
	default:
		g.small()
	}
}

// small writes a statement without a body.
func (g *forms) small() {
	v, ok, c := g.name("v"), g.name("ok"), g.channel()
	switch g.r.IntN(12) {
	case 0:
		g.line("var %s, %s = <-%s; t.log(%[1]s, %[2]s)", v, ok, c)
	case 1:
		g.line("var (\n%s = %s\n%s, _ = <-%s\n)\nt.log(%[1]s, %[3]s)", v, g.value(), ok, c)
	case 2:
		g.line("var %s int = %s\nt.log(%[1]s)", v, g.value())
	case 3:
		g.line("defer t.log(%s)", g.value())
	case 4:
		if g.leaps {
			g.line("%s: <-%s; if t.left == 5 { t.left--; goto %[1]s }", g.name("L"), c)
		}
	case 5:
		g.leave()
	case 6:
		g.line("time.Sleep(1)")
	case 7:
		g.line("if %s { panic(%s) }", "t.left == 17", g.value())
	default:
		text, declared := g.simple()
		g.line("%s", text)
		if declared != "" {
			g.line("t.log(%s)", declared)
		}
	}
}

// leave writes a conditional break, continue or return.
func (g *forms) leave() {
	how := "return " + g.value()
	if g.plain {
		how = "return"
	}
	if n := len(g.loops); n > 0 && g.r.IntN(4) > 0 {
		how = g.pick("break ", "continue ", "continue ") + g.loops[g.r.IntN(n)]
	}
	g.line("if %s { %s }", g.condition(), how)
}

func (g *forms) ifs(depth int) {
	init, use := g.head()
	g.b.WriteString("if " + init + g.condition() + " ")
	g.body(depth, use)
	for g.r.IntN(3) == 0 {
		more, _ := g.head()
		g.b.WriteString(" else if " + more + g.used(more) + g.condition() + " ")
		g.body(depth, use)
	}
	if g.r.IntN(2) == 0 {
		g.b.WriteString(" else ")
		g.body(depth, use)
	}
	g.line("")
}

// used returns a condition that uses the variables of a head, and a conjunction.
func (g *forms) used(head string) string {
	declared, _, ok := strings.Cut(head, " := ")
	if !ok {
		return ""
	}
	return "fmt.Sprint(" + declared + ") != \"\" && "
}

func (g *forms) switches(depth int) {
	init, use := g.head()
	label := ""
	if g.r.IntN(3) == 0 {
		label = g.name("L")
		g.line("%s:", label)
	}
	tag := g.pick("", g.value(), "int("+g.value()+")")
	g.line("switch %s %s {", init, tag)
	for i := range g.r.IntN(4) {
		x := fmt.Sprint(i)
		if tag == "" {
			x = g.condition()
		} else if g.r.IntN(3) == 0 {
			x = "<-t.c + " + fmt.Sprint(10*i+5) // no constant, so no two are alike
		}
		g.line("case %s:", x)
		g.clause(depth, use, label)
	}
	g.line("default:")
	g.clause(depth, use, label)
	g.line("}")
}

// clause writes the statements of a case.
func (g *forms) clause(depth int, use, label string) {
	if use != "" {
		g.line("%s", use)
	}
	g.block(depth - 1)
	if label != "" {
		g.line("if t.left > 3 { break %s }", label)
	}
	if g.r.IntN(4) == 0 {
		g.line("if t.left > 7 { break }")
	}
}

func (g *forms) typeSwitch(depth int) {
	init, use := g.head()
	x := g.name("x")
	g.line("switch %s %s := any(%s).(type) {\ncase int:\nt.log(%[2]s)", init, x, g.value())
	g.clause(depth, use, "")
	g.line("case string, nil:\nt.log(%s)\n}", x)
	text := g.pick("<-t.c", "(<-t.c)")
	g.line("switch any(%s).(type) { case int: t.log(1) }", text)
}

func (g *forms) fors(depth int) {
	label, n := g.name("L"), len(g.loops)
	init, use := g.head()
	if init == "" {
		init = ";"
	}
	post, declared := g.simple()
	for declared != "" {
		post, declared = g.simple()
	}
	condition := g.pick("", g.condition(), "t.left > 0")
	if v, ok, found := strings.Cut(use, ", "); found && g.r.IntN(2) == 0 && strings.Contains(init, "<-") {
		v, ok = strings.TrimPrefix(v, "t.log("), strings.TrimSuffix(ok, ")")
		post, condition = v+", "+ok+" = <-"+g.channel(), g.pick(ok, "", ok+" && t.more()")
	}
	g.line("%s:\nfor %s %s; %s {\nif !t.more() { break %[1]s }", label, init, condition, g.pick("", post, post))
	g.loops = append(g.loops, label)
	if use != "" {
		g.line("%s", use)
	}
	g.block(depth - 1)
	g.loops = g.loops[:n]
	if g.r.IntN(2) == 0 {
		g.line("if t.left%%2 == 0 { continue }")
	}
	g.line("}")
}

func (g *forms) ranges(depth int) {
	label, n := g.name("L"), len(g.loops)
	over := g.pick("t.c", "chanOf(4)", "t.list[0]", "t.get()", "(<-t.c)&3", "[]int{"+g.value()+", "+g.value()+"}",
		"t.seq(3)", "t.seq((<-t.c)&7)", "t.seq(4)", "t.two(t.c)")
	v := g.name("v")
	declares := v + " := "
	if g.r.IntN(4) == 0 {
		declares = g.pick("", "t.left = ")
	}
	if g.r.IntN(5) == 0 { // a channel that is known
		c := g.name("c")
		g.line("{ %s := make(chan int, 9); %[1]s <- 1; %[1]s <- 2; close(%[1]s)", c)
		defer g.line("}")
		over = c
	}
	g.line("%s:\nfor %srange %s {\nif !t.more() { break %[1]s }", label, declares, over)
	if strings.HasPrefix(declares, "v") {
		g.line("t.log(%s)", v)
	}
	g.loops = append(g.loops, label)
	g.block(depth - 1)
	g.loops = g.loops[:n]
	if g.r.IntN(2) == 0 {
		g.line("if t.left%%2 == 0 { continue }")
	}
	g.line("}")
}

func (g *forms) selects(depth int) {
	label := ""
	if g.r.IntN(3) == 0 {
		label = g.name("L")
		g.line("%s:", label)
	}
	v, ok, c := g.name("v"), g.name("ok"), g.channel()
	ready := g.pick("case <-"+c, "case (<-"+c+")", fmt.Sprintf("case %s := <-%s", v, c),
		fmt.Sprintf("case %s, %s := <-%s", v, ok, c), "case t.left, _ = <-"+c,
		"case t.out <- "+g.value(), "case t.left = <-"+c,
		"default")
	use := ""
	if strings.Contains(ready, v+",") {
		use = "t.log(" + v + ", " + ok + ")"
	} else if strings.Contains(ready, v+" :") {
		use = "t.log(" + v + ")"
	}
	g.line("select {\n%s:", ready)
	if g.r.IntN(5) > 0 {
		g.clause(depth, use, label)
	} else {
		g.line("%s", use)
		if label != "" {
			g.line("break %s", label)
		}
	}
	if g.r.IntN(2) == 0 {
		g.line("case <-t.never:")
		g.block(depth - 1)
	}
	g.line("}")
}

// goroutine writes a go statement and the wait for its end.
func (g *forms) goroutine(depth int) {
	done, loops, plain := g.name("done"), g.loops, g.plain
	g.line("%s := make(chan bool)\ngo func(x int) {\ndefer func() { recover(); close(%[1]s) }()", done)
	g.loops, g.plain = nil, true
	g.block(depth - 1)
	g.loops, g.plain = loops, plain
	g.line("}(%s)", g.value())
	g.line("%s", g.pick("<-"+done, "for range "+done+" {}", "_, _ = <-"+done, "select { case <-"+done+": }"))
}

// end writes statements that end a function with a result.
func (g *forms) end(depth int) {
	if depth == 0 {
		g.line("return %s", g.value())
		return
	}
	init, use := g.head()
	if use == "" {
		use = "t.log()"
	}
	switch g.r.IntN(8) {
	case 0:
		g.b.WriteString("if " + init + g.condition() + " {\n" + use + "\n")
		g.end(depth - 1)
		g.b.WriteString("} else if " + g.pick("", "x, ok := <-t.c; x > 0 || ok || ") + g.condition() + "{\n")
		g.end(depth - 1)
		g.b.WriteString("} else {\n" + use + "\n")
		g.end(depth - 1)
		g.line("}")
	case 1:
		g.line("switch %s {\ncase %s:\n%s", init, g.condition(), use)
		g.end(depth - 1)
		g.line("default:\n%s", use)
		g.end(depth - 1)
		g.line("}")
	case 2:
		g.line("switch %s any(<-t.c).(type) {\ncase int:\n%s", init, use)
		g.end(depth - 1)
		g.line("default:\n%s", use)
		g.end(depth - 1)
		g.line("}")
	case 3:
		g.line("select {\ncase x, ok := <-t.c:\nt.log(x, ok)")
		g.end(depth - 1)
		g.line("}")
	case 4:
		g.line("for v, ok := <-t.c; ; v, ok = <-t.c {\nt.log(v, ok)\nif !t.more() {")
		g.end(depth - 1)
		g.line("}\n}")
	case 5:
		g.line("{")
		g.end(depth - 1)
		g.line("}")
	case 6:
		g.line("panic(<-t.c)")
	default:
		g.line("return %s", g.value())
	}
}

// A program of all forms of statements that can hold a wait builds with zones, and does what it does without.
// IPROF_FORMS=N tries N programs.
func TestEveryFormOfAStatementStaysItself(t *testing.T) {
	offline(t)
	programs, size := 1, 60
	if n, err := strconv.Atoi(os.Getenv("IPROF_FORMS")); err == nil {
		programs = n
	} else if testing.Short() {
		size = 30
	}
	for seed := range uint64(programs) {
		g := forms{r: rand.New(rand.NewPCG(seed, 1))}
		dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n",
			"main.go": g.program(size)})
		to, zoned := t.TempDir(), t.TempDir()
		const quick = "-gcflags=-N -l"
		build(t, dir, to, []string{quick}, nil)
		with := withZones(t, dir, instrument.Options{Selection: everything})
		build(t, dir, zoned, append(with.Flags, quick), with.Environment)
		want := endOf(exec.Command(filepath.Join(to, "user")))
		cmd := exec.Command(filepath.Join(zoned, "user"))
		cmd.Env = append(os.Environ(), auto.Variable+"={}")
		if got := endOf(cmd); got != want {
			t.Fatalf("seed %d: %s", seed, firstDifference(got, want))
		}
	}
}

// firstDifference returns the first line that differs, with the lines before it.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "got " + a[i] + ", without zones " + b[i] + ", after\n" + strings.Join(a[max(0, i-20):i], "\n")
		}
	}
	return "one output is shorter"
}
