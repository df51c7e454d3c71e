// Command growth measures how the cost of the profiler grows with the size of a program.
//
//	cd bench && go run ./growth
//
// Each curve has one dimension: zones, goroutines, frames. Its figures stand beside what they are at the least size.
// Each size runs in a process of its own, and of several runs the least counts, because other programs disturb. Compare
// only figures of one run of the command.
package main

import (
	"cmp"
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
	{"siblings", "a zone, all below one parent", []int{10, 100, 1000, 10_000}, siblings},
	{"idle", "Update, ten of the zones entered", []int{10, 100, 1000, 10_000, 100_000}, idleSiblings},
	{"known", "a frame digested, ten of the zones entered", []int{10, 100, 1000, 10_000, 30_000}, known},
	{"arriving", "longest frame, 100 zones more in each", []int{1000, 10_000, 40_000}, arriving},
	{"hitch", "longest Update of 1,300 frames", []int{10, 100, 1000, 3000}, hitch},
	{"reader", "longest Update while reports are asked for", []int{10, 100, 1000, 3000}, contended},
	{"fewvalues", "a frame digested, zones that take 1 or 2 ms, history of 9,600", []int{10, 100}, fewValues},
	{"parked", "Update, goroutines that sleep", []int{10, 100, 1000, 10_000, 100_000}, parked},
	{"open", "Update, goroutines that sleep in a zone", []int{10, 100, 1000, 10_000}, open},
	{"active", "Update, goroutines that enter a zone", []int{10, 100, 1000, 10_000}, active},
	{"slowframe", "Update of a slow frame with events, by goroutines", []int{10, 100, 1000, 5000}, slowFrame},
	{"frames", "a frame and a report, by frames of history", []int{100, 1000, 10_000, 30_000}, longHistory},
}

func main() {
	one := flag.String("curve", "", "only this curve")
	size := flag.Int("n", 0, "only this size, in this process")
	runs := flag.Int("runs", 2, "processes for each figure; the least counts")
	flag.Parse()
	if *size > 0 {
		at := slices.IndexFunc(curves, func(c curve) bool { return c.name == *one })
		if at < 0 {
			fail(fmt.Errorf("there is no curve %q: run without -n for a list", *one))
		}
		fmt.Println(int64(curves[at].measure(*size)))
		return
	}
	fmt.Println("| curve | what | size | least | x of the first |")
	fmt.Println("|---|---|---|---|---|")
	for _, c := range curves {
		if *one == "" || c.name == *one {
			c.print(*runs)
		}
	}
}

// print measures and prints a curve.
func (c *curve) print(runs int) {
	var first time.Duration
	for _, n := range c.sizes {
		least := c.least(n, runs)
		first = cmp.Or(first, least)
		fmt.Printf("| %s | %s | %d | %v | %.1f |\n", c.name, c.what, n, least, float64(least)/float64(max(first, 1)))
	}
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
