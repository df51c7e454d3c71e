package growth

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/must"
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

// BenchmarkGrowth measures each curve at each of its sizes, each in a process of its own, as zones and goroutines stay.
// The figure is the least of the processes, one for each iteration, because other programs disturb. Compare only
// figures of one run:
//
//	go test -run '^$' -bench Growth -benchtime 2x ./internal/integration/growth
func BenchmarkGrowth(b *testing.B) {
	for i := range curves {
		c := &curves[i]
		for _, n := range c.sizes {
			b.Run(fmt.Sprintf("curve=%s/n=%d", c.name, n), func(b *testing.B) {
				if testing.Short() && n > c.sizes[0] {
					b.Skip("only the least size")
				}
				least := time.Duration(math.MaxInt64)
				for b.Loop() {
					least = min(least, c.inProcess(b, n))
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(least), "least-ns")
			})
		}
	}
}

// variable has the name and the size of the curve that a process measures, with a space between.
const variable = "IPROF_GROWTH"

func TestMain(m *testing.M) {
	name, size, is := strings.Cut(os.Getenv(variable), " ")
	if !is {
		os.Exit(m.Run())
	}
	at := slices.IndexFunc(curves, func(c curve) bool { return c.name == name })
	n, err := strconv.Atoi(size)
	if err != nil {
		fail(err)
	}
	fmt.Println(int64(curves[at].measure(n)))
}

// inProcess measures a size in another process.
func (c *curve) inProcess(t testing.TB, n int) time.Duration {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), fmt.Sprint(variable, "=", c.name, " ", n))
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s of %d: %v", c.name, n, err)
	}
	ns := must.Get(strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64))(t)
	return time.Duration(ns)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "growth:", err)
	os.Exit(1)
}
