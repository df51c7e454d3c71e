// Command growth measures how the cost of the profiler grows with the size of a program.
//
//	cd bench && go run ./growth -picture ../docs/growth.svg
//
//	cd bench && go run ./growth -minutes 10
//
// Each curve has one dimension: zones, goroutines, frames. It shows each figure beside its value at the least size.
// Each size runs in a separate process, and the least of several runs counts, because other programs disturb. Compare
// only figures of one run of the command. With -minutes it measures Update in a program of 60 frames a second, with a
// viewer, a poller and a recorder.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// curve is one dimension. measure returns a time for a program of size n.
type curve struct {
	name    string
	what    string // the figure
	sizes   []int
	measure func(n int) time.Duration
}

var curves = []curve{
	{"siblings", "a zone, all are below one", []int{10, 100, 1000, 10_000}, siblings},
	{"names", "a zone by name, all are below one", []int{10, 100, 1000, 10_000}, names},
	{"idle", "Update: ten of the zones are entered", []int{10, 100, 1000, 10_000, 100_000}, idleSiblings},
	{"known", "a frame of ten zones, by zones known", []int{10, 100, 1000, 10_000, 30_000}, known},
	{"arriving", "dearest frame; each has 100 new zones", []int{1000, 10_000, 40_000}, arriving},
	{"hitch", "dearest Update of 1,300 frames", []int{10, 100, 1000, 3000}, hitch},
	{"reader", "95 of 100 Updates, while others read", []int{10, 100, 1000, 3000}, contended},
	{"viewers", "Update of 1,000 zones, by live viewers", []int{10, 30, 100}, viewers},
	{"recorded", "Update with a recorder, events, a scope", []int{100, 1000, 10_000}, recorded},
	{"boxed", "Update with a black box, events, a scope", []int{100, 1000, 10_000}, boxed},
	{"fewvalues", "a frame of zones that take 1 or 2 ms", []int{10, 100}, fewValues},
	{"parked", "Update: goroutines that sleep", []int{10, 100, 1000, 10_000, 100_000}, parked},
	{"open", "Update: goroutines that sleep in a zone", []int{10, 100, 1000, 10_000, 100_000}, open},
	{"active", "Update: goroutines that enter a zone", []int{10, 100, 1000, 10_000}, active},
	{"started", "Update: goroutines that start and end", []int{10, 100, 1000, 10_000}, started},
	{"slowframe", "Update: slow frame, events, goroutines", []int{10, 100, 1000, 5000}, slowFrame},
	{"frames", "a frame and a report, by history", []int{100, 1000, 10_000, 30_000}, longHistory},
}

func main() {
	one := flag.String("curve", "", "only this curve")
	size := flag.Int("n", 0, "only this size, in this process")
	runs := flag.Int("runs", 2, "processes for each figure; the least counts")
	file := flag.String("picture", "", "file for a picture of the curves, SVG")
	from := flag.String("from", "", "file with the output of an earlier run, for -picture; nothing is measured")
	minutes := flag.Float64("minutes", 0, "instead: run 1,000 zones and 10,000 goroutines with all readers for so long")
	flag.Parse()
	if *minutes > 0 {
		whole(*minutes)
		return
	}
	if *size > 0 {
		at := slices.IndexFunc(curves, func(c curve) bool { return c.name == *one })
		if at < 0 {
			fail(fmt.Errorf("there is no curve %q: run without -n for a list", *one))
		}
		fmt.Println(int64(curves[at].measure(*size)))
		return
	}
	if *from != "" {
		picture(*file, earlier(*from))
		return
	}
	fmt.Println("| curve | what | size | least | x of the first |")
	fmt.Println("|---|---|---|---|---|")
	var all []measured
	for i := range curves {
		if c := &curves[i]; *one == "" || c.name == *one {
			all = append(all, measured{c, c.print(*runs)})
		}
	}
	if *file != "" {
		picture(*file, all)
	}
}

// earlier reads the output of an earlier run.
func earlier(file string) (all []measured) {
	text, err := os.ReadFile(file)
	if err != nil {
		fail(err)
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(line, "|")
		if len(f) < 5 {
			continue
		}
		n, _ := strconv.Atoi(strings.TrimSpace(f[3]))
		took, err := time.ParseDuration(strings.TrimSpace(f[4]))
		if err != nil { // a heading
			continue
		}
		name := strings.TrimSpace(f[1])
		if last := len(all) - 1; last < 0 || all[last].name != name {
			all = append(all, measured{curve: &curve{name: name, what: strings.TrimSpace(f[2])}})
		}
		c := &all[len(all)-1]
		c.sizes, c.took = append(c.sizes, n), append(c.took, took)
	}
	return all
}

// print measures and prints a curve.
func (c *curve) print(runs int) (took []time.Duration) {
	for _, n := range c.sizes {
		least := c.least(n, runs)
		took = append(took, least)
		fmt.Printf("| %s | %s | %d | %v | %.1f |\n", c.name, c.what, n, least, float64(least)/float64(max(took[0], 1)))
	}
	return took
}

// least measures a size in some processes.
func (c *curve) least(n, runs int) (least time.Duration) {
	for run := range runs {
		took := c.child(n)
		if run == 0 || took < least {
			least = took
		}
	}
	return least
}

func (c *curve) child(n int) time.Duration {
	self, err := os.Executable()
	if err != nil {
		fail(err)
	}
	command := exec.Command(self, "-curve", c.name, "-n", strconv.Itoa(n))
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		fail(fmt.Errorf("%s of %d: %w", c.name, n, err))
	}
	ns, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil {
		fail(err)
	}
	return time.Duration(ns)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "growth:", err)
	os.Exit(1)
}
