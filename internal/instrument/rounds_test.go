package instrument_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/runreport"
)

// loopsOverIterators has a function for each way of a loop over an iterator. Each works in the body of its loop alone,
// a hundred times as much as light does. The iterators do nothing themselves.
const loopsOverIterators = `package main

import (
	"fmt"
	"iter"
)

type tree struct {
	left, right *tree
	key         int
}

func (t *tree) all() iter.Seq[int] { return func(yield func(int) bool) { t.push(yield) } }

func (t *tree) push(yield func(int) bool) bool {
	return t == nil || t.left.push(yield) && yield(t.key) && t.right.push(yield)
}

func (t *tree) method(yield func(int, string) bool) {
	for i := range 100 {
		if !yield(i, "") {
			return
		}
	}
}

func keep(seq iter.Seq[int]) iter.Seq[int] {
	return func(yield func(int) bool) {
		for v := range seq {
			if !yield(v) {
				return
			}
		}
	}
}

func made(n int) *tree {
	if n == 0 {
		return nil
	}
	return &tree{made(n / 2), made(n / 3), n}
}

var sum uint64

func simple(t *tree) {
	for range t.all() {
		for i := range uint64(200000) {
			sum = sum*31 + i
		}
	}
}

func light(t *tree) {
	for range t.all() {
		for i := range uint64(2000) {
			sum = sum*31 + i
		}
	}
}

func adapted(t *tree) {
	for k := range keep(keep(t.all())) {
		for i := range uint64(200000) {
			sum = sum*31 + i
		}
		if k == 1 {
			continue
		}
	}
}

func byMethod(t *tree) {
	for range t.method {
		for i := range uint64(200000) {
			sum = sum*31 + i
		}
	}
}

func nested(t *tree) {
outer:
	for range t.all() {
		for range t.method {
			for i := range uint64(200000) {
				sum = sum*31 + i
			}
			if sum != 0 {
				continue outer
			}
		}
	}
}

func left(t *tree) int {
	for range 20 {
		for range t.all() {
			for i := range uint64(200000) {
				sum = sum*31 + i
			}
			break
		}
	}
	for range t.all() {
		for range 20 {
			for i := range uint64(200000) {
				sum = sum*31 + i
			}
		}
		return 1
	}
	return 0
}

func panics(t *tree) {
	defer func() { _ = recover() }()
	for range t.all() {
		defer fmt.Sprint()
		for range 40 {
			for i := range uint64(200000) {
				sum = sum*31 + i
			}
		}
		panic(1)
	}
}

func generic[T any](seq iter.Seq[T]) {
	for range seq {
		for i := range uint64(200000) {
			sum = sum*31 + i
		}
	}
}

// alone waits while its values are used: iter.Pull gives it a goroutine.
func (t *tree) alone() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range 60 {
			if !yield(i) {
				return
			}
		}
	}
}

func pulled(t *tree) {
	next, stop := iter.Pull(t.alone())
	defer stop()
	for {
		if _, ok := next(); !ok {
			return
		}
		for i := range uint64(200000) {
			sum = sum*31 + i
		}
	}
}

var literal = func(t *tree) {
	for range t.all() {
		for i := range uint64(200000) {
			sum = sum*31 + i
		}
	}
}

func main() {
	t := made(60)
	simple(t)
	light(t)
	adapted(t)
	byMethod(t)
	nested(t)
	left(t)
	panics(t)
	generic(t.all())
	pulled(t)
	literal(t)
	print("ended")
}
`

// What a loop over an iterator does is the time of the function with the loop, and not of the iterator.
func TestBodiesOfLoopsBelongToTheirFunctions(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": loopsOverIterators})
	plan := planned(t, dir, instrument.Options{})
	program := filepath.Join(built(t, dir, plan), "user")
	if got := endOf(exec.Command(program)); got != "endedended well" && got != "ended well" {
		t.Logf("it ends with %q", got)
	}
	text := reported(t, program)
	const times, number = `[\d.-]+ +`, `[\d.]+[MGk]? +\d+ +\d+ +`
	row := regexp.MustCompile(`(?m)^ +` + times + `(?:- +)?([\d.]+) +` + number +
		`([a-z]\S*|\(\*tree\)\S*)(?: func:\d+)?  `)
	self := map[string]float64{}
	for _, m := range row.FindAllStringSubmatch(text, -1) {
		ms, _ := strconv.ParseFloat(m[1], 64)
		self[m[2]] += ms
	}
	least := self["light"]
	for _, name := range []string{"simple", "adapted", "byMethod", "nested", "left", "panics", "generic", "pulled"} {
		if self[name] < 10*least {
			t.Errorf("%s has %v ms of its own, and light %v; want about a hundred times as much:\n%s", name, self[name],
				least, text)
		}
	}
	for _, name := range []string{"(*tree).all", "(*tree).push", "(*tree).method", "keep"} {
		if self[name] > self["simple"]/10 {
			t.Errorf("the iterator %s has %v ms of its own, and simple %v:\n%s", name, self[name], self["simple"], text)
		}
	}
}

// The limit holds for the sum over all functions, also if none of them has many calls, with both clocks, and where
// other programs have the processor most of the time.
func TestOverheadSpreadOverManyFunctionsIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	const functions = 400
	var b strings.Builder
	b.WriteString("package main\n\nvar sum int\n\nvar list []func()\n\n")
	for i := range functions {
		fmt.Fprintf(&b, "func f%d() {\n\tfor i := range 150 {\n\t\tsum += i\n\t}\n}\n\n", i)
	}
	b.WriteString("func main() {\n\tlist = []func(){")
	for i := range functions {
		fmt.Fprintf(&b, "f%d, ", i)
	}
	b.WriteString("}\n\tfor range 12_000 { // about a second of processor time\n" +
		"\t\tfor _, f := range list {\n\t\t\tf()\n\t\t}\n\t}\n}\n")
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": b.String()})
	program := filepath.Join(built(t, dir, planned(t, dir, instrument.Options{})), "user")
	for _, clock := range []string{"counter", "go"} {
		t.Run(clock, func(t *testing.T) {
			t.Setenv("IPROF_CLOCK", clock)
			run := firstRun(t, program)
			if n := len(run.Notes.Muted); n < functions/10 {
				t.Errorf("%d of %d functions are muted; measuring all took %v of %v", n, functions, run.Dump.Overhead,
					run.Dump.CPU)
			}
		})
	}
}

// firstRun runs a program as a first run, and returns what is known of that.
func firstRun(t *testing.T, program string) *runreport.Run {
	t.Helper()
	record := filepath.Join(t.TempDir(), "out.iprof")
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), `IPROF_RUN={"Mute":true,"Record":`+strconv.Quote(record)+`}`)
	must.Do(t, cmd.Run())
	run := must.Get(runreport.Read(record))(t)
	return run
}

// Entries that are too deep for nodes of their own count for the function that calls itself, and not for the row that
// they are folded into.
func TestDeepRecursionIsMuted(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": `package main

func deep(n int) int {
	if n == 0 {
		return 0
	}
	return deep(n-1) + n
}

func main() {
	sum := 0
	for range 100 {
		sum += deep(100_000)
	}
	println(sum)
}
`})
	var names []string
	program := filepath.Join(built(t, dir, planned(t, dir, instrument.Options{})), "user")
	for _, z := range firstRun(t, program).Notes.Muted {
		names = append(names, z.Name)
	}
	if len(names) != 1 || names[0] != "deep" {
		t.Errorf("muted are %q; want deep alone", names)
	}
}

// The profiler's own memory is in no heap column of a run. The oracle is the program's own count of large objects,
// which the runtime counts at once. The profiler takes 1.2 MB for each part of the CPU profile, and more for its
// output. Package gather has the same test of zones.
func TestTheHeapIsTheProgramsOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": heapProgram})
	program := filepath.Join(built(t, dir, planned(t, dir, instrument.Options{})), "user")
	record := filepath.Join(t.TempDir(), "out.iprof")
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), `IPROF_RUN={"Lines":true,"Record":`+strconv.Quote(record)+`}`)
	out := must.Get(cmd.Output())(t)
	want := must.Get(strconv.Atoi(strings.TrimSpace(string(out))))(t)
	run := must.Get(runreport.Read(record))(t)
	const small = 700 << 10 // what small objects may take: they show when their span is full
	if got := allocated(t, run); got < want || got > want+small {
		t.Errorf("all frames have %d bytes; the program took %d", got, want)
	}
}

// allocated returns the sum of what the JSON of a run has of the heap in its frames.
func allocated(t *testing.T, run *runreport.Run) (bytes int) {
	t.Helper()
	var b strings.Builder
	must.Do(t, run.WriteJSON(&b))
	var got struct {
		History []struct {
			Bytes int `json:"alloc_bytes"`
		}
	}
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil || len(got.History) == 0 {
		t.Fatal(fmt.Errorf("%d frames: %w", len(got.History), err))
	}
	for _, f := range got.History {
		bytes += f.Bytes
	}
	return bytes
}

const heapProgram = `package main

import (
	"fmt"
	"os"
)

var kept [][]byte

const size = 1 << 20

func take(n int) {
	for range n {
		kept = append(kept, make([]byte, size))
	}
	if len(kept) > 1000 {
		fmt.Println("too many")
		os.Exit(1)
	}
}

func spin(n, x int) int {
	for i := range n {
		x = x*31 + i
		if x == 7 {
			x++
		}
	}
	if n < 0 {
		x = spin(n+1, x)
	}
	return x
}

func main() {
	x := 0
	for range 30 { // about 0.9 s of processor time, however many others want it
		take(1)
		x += spin(30_000_000, x)
	}
	if x == 1 {
		os.Exit(1)
	}
	fmt.Println(len(kept) * size)
}
`

// The table has the goroutines of each go statement, and its times are those of the zones in the report above: the zone
// with the statement, its wait, and the function that its goroutines run.
func TestTheReportOfGoStatements(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := filepath.Join(copied(t, "corpus"), "spawn")
	plan := planned(t, dir, instrument.Options{})
	program := filepath.Join(built(t, dir, plan), "spawn")
	report := reported(t, program)
	find := func(pattern string) []float64 {
		m := regexp.MustCompile(pattern).FindStringSubmatch(report)
		if m == nil {
			t.Fatalf("the report has no %s:\n%s", pattern, report)
		}
		var numbers []float64
		for _, text := range m[1:] {
			n := must.Get(strconv.ParseFloat(text, 64))(t)
			numbers = append(numbers, n)
		}
		return numbers
	}
	const number = ` +([\d.]+)`
	const crowd = ` +"main\.\(\*pool\)\.crowd main\.go:33, in main > \(\*pool\)\.crowd"`
	row := find(` 12` + number + number + number + crowd)
	own := find(`[\d.]+` + number + ` +\S+ +1 +0 +\(\*pool\)\.crowd `)
	spawned := find(`[\d.]+` + number + ` +\S+ +12 +0 +\(\*pool\)\.work `)
	waited := find(`[\d.]+` + number + ` +\S+ +1 +0 +wait for p\.wait `)[0]
	waited += find(`[\d.]+` + number + ` +\S+ +\d+ +0 +wait for done +main\.\(\*pool\)\.crowd `)[0]
	if row[0] != own[0] || row[1] != spawned[0] || math.Abs(row[2]-waited) > 0.0011 { // each is rounded
		t.Errorf("own, spawned, waited: %v; want %v, %v, %v:\n%s", row, own[0], spawned[0], waited, report)
	}
	find(` 1 +0 +wait for g\[\] +main\.all +main\.go:54 +\[idle\]`)               // its result is used
	find(` 2` + number + number + number + ` +"main\.nested\.func1 main\.go:64"`) // two in one line
	find(` 1` + number + number + number + ` +"main\.nested main\.go:64, in nested"`)

	var data struct {
		Starts []struct {
			Place      string
			Path       []string
			Paths      int
			Goroutines int
			Own        float64 `json:"own_ms"`
			Spawned    float64 `json:"forked_ms"`
			Waited     float64 `json:"waited_ms"`
		} `json:"go_statements"`
	}
	must.Do(t, json.Unmarshal([]byte(reportedIn(t, program, "report.json")), &data))
	for _, s := range data.Starts {
		if s.Place == "main.(*pool).crowd main.go:33" && slices.Equal(s.Path, []string{"main", "(*pool).crowd"}) &&
			s.Goroutines == 12 && s.Paths == 1 && s.Own > 0 && s.Spawned > 0 && s.Waited > 0 {
			return
		}
	}
	t.Errorf("the report as JSON has %+v; want the crowd", data.Starts)
}
