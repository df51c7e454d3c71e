// Package html writes a dump as one self-contained page. The page needs no server, no network and no other file, unless
// [Options.Live] makes it follow a program.
//
//	f, err := os.Create("profile.html")
//	...
//	err = html.Write(f, dump, html.Options{})
//
// The page shows the history as bars, the call structure of a frame or of the whole run, the timeline of a frame whose
// events were kept (see gather.SetEvents), a tree for each lane and one for all lanes, the report of the program's view
// with its order, filter, packages and baseline, the zones by self time, and on demand the statistics of each zone. A
// slow frame shows its picture under the pointer, if the picture was kept. Trees fold, sort and filter. The page
// follows the reader's choice of light or dark, prints well, and can be used with the keyboard alone.
//
// Zone names cannot harm the page. They are JSON in a block that is not executed, and the script adds them to the
// document as text only. A content security policy allows no script but the page's own, identified by its hash.
package html

import (
	"bufio"
	_ "embed"
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/iprof/process/report"
)

// Options select what the page contains. The zero value is the default.
type Options struct {
	FrameBytes int // greatest size of the trees and timelines of single frames; 0 = 512 KiB, negative = no limit

	// Live makes the page follow a running program. It is the address, relative to the page, that answers with the
	// output of [WriteNow]. With the query "all" the answer must have the trees and timelines of frames, without it
	// everything else. If Live is "", the page does not change.
	Live string

	Command string // the command that shows more than the page; only for a page with Live
}

// WholeRun are the options of a page about a whole run or a capture, with as many trees and timelines of frames as fit
// in 8 MB. Make the Dump with [report.DumpPage], so that it has all of them.
var WholeRun = Options{FrameBytes: 8 << 20}

// These limits keep a page with 10,000 nodes below 2 MB. By default the trees of single frames take at most
// defaultFrameBytes, and less if the other data is large.
const (
	defaultFrameBytes = 512 << 10
	mostData          = 1_750_000 // bytes; style and script take the rest
)

// Write writes d as a page. If the trees and timelines of single frames exceed Options.FrameBytes, the page keeps those
// of the slowest and the newest frames, and says how many it has. It shows the program's arguments if the dump has
// them. Errors are the writer's. Any goroutine may call Write, and it takes no lock. Its memory does not grow with the
// page. Its cost is measured by BenchmarkWrite.
func Write(w io.Writer, d *report.Dump, o Options) error {
	page := pageParts(o.Live != "")
	b := bufio.NewWriterSize(w, 64<<10)
	v := page.values(d)
	v[".Live"], v[".Command"] = o.Live, visible(o.Command)
	if r, _ := v[".Report"].(values); r != nil {
		r[".Live"] = o.Live
	}
	_, err := b.Write(fill(nil, page.before, v))
	if err == nil {
		_, err = b.WriteString(`<script type="application/json" id="data">`)
	}
	if err == nil {
		err = encode(b, d, &o)
	}
	if err == nil {
		_, err = b.WriteString("</script>")
	}
	if err == nil {
		_, err = b.Write(fill(nil, page.after, v))
	}
	if err == nil {
		err = b.Flush()
	}
	if err != nil {
		return fmt.Errorf("html: writing the page: %w", err)
	}
	return nil
}

//go:embed assets/page.html
var pageHTML string

//go:embed assets/style.css
var styleCSS string

// The parts of the script. pageParts joins them.
var (
	//go:embed assets/data.js
	dataJS string
	//go:embed assets/chart.js
	chartJS string
	//go:embed assets/icicle.js
	icicleJS string
	//go:embed assets/tree.js
	treeJS string
	//go:embed assets/values.js
	valuesJS string
	//go:embed assets/zones.js
	zonesJS string
	//go:embed assets/statistics.js
	statisticsJS string
	//go:embed assets/sections.js
	sectionsJS string
	//go:embed assets/lanes.js
	lanesJS string
	//go:embed assets/timeline.js
	timelineJS string
	//go:embed assets/main.js
	mainJS string
	//go:embed assets/live.js
	liveJS string
)

// static is the part that all pages share.
type static struct {
	before, after string // around the data
	script        string
	policy        string
}

// parts has the parts of a page that does not change, and of a live page. pageParts fills them in. It is not a
// sync.OnceValue, because the linker keeps the initialisers of variables.
var (
	parts     [2]static
	partsOnce [2]sync.Once
)

// pageParts joins the script, and hashes style and script, once.
func pageParts(live bool) *static {
	at, more, may := 0, "", ""
	if live {
		at, more, may = 1, liveJS, "; connect-src 'self'"
	}
	partsOnce[at].Do(func() {
		p := &parts[at]
		p.before, p.after, _ = strings.Cut(pageHTML, "{{.Data}}")
		p.script = "'use strict';\n(() => {\n" +
			dataJS + valuesJS + chartJS + icicleJS + treeJS + zonesJS + statisticsJS + sectionsJS + lanesJS +
			timelineJS + mainJS + more + "})();\n"
		p.policy = "default-src 'none'; style-src " + hash(styleCSS) + "; script-src " + hash(p.script) +
			"; img-src data:" + may + "; base-uri 'none'; form-action 'none'"
	})
	return &parts[at]
}

// hash returns the policy's source expression for exactly this text.
func hash(s string) string {
	sum := sha256Of(s)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// number is a value and its unit. The page shows the unit smaller.
type number struct{ Value, Unit string }

// values returns the values of a dump's page.
func (s *static) values(d *report.Dump) values {
	v := values{
		".Policy": s.policy, ".Style": raw(styleCSS), ".Script": raw(s.script),
		".Program": visible(d.Program), ".Arguments": visible(strings.Join(d.Arguments, " ")),
		".Date": d.Time.Format("2006-01-02 15:04:05 MST"), ".GoVersion": visible(d.GoVersion),
		".Machine": visible(d.Machine), ".Calls": grouped(d.Calls), ".Frames": strconv.FormatUint(d.Frames, 10),
		".Lanes": d.Goroutines(), ".Report": viewOf(d.Report, d.Zones).values(),
	}
	v.number(".RunTime", d.RunTime)
	v.number(".Overhead", d.Overhead)
	if d.CPU > 0 {
		v.number(".CPU", d.CPU)
	}
	if d.RunTime > 0 {
		v[".Share"] = fmt.Sprintf("%.1f %%", 100*float64(d.Overhead)/float64(d.RunTime))
		if d.OverheadHigh > 0 {
			v[".Share"] = fmt.Sprintf("%.1f to %.1f %%", 100*float64(d.OverheadLow)/float64(d.RunTime),
				100*float64(d.OverheadHigh)/float64(d.RunTime))
		}
	}
	warnings := make([]string, len(d.Warnings))
	for i, w := range d.Warnings {
		warnings[i] = visible(w)
	}
	v[".Warnings"] = texts(warnings)
	return v
}

// number adds a time, with its value and its unit.
func (v values) number(name string, d time.Duration) {
	n := fit(d)
	v[name], v[name+".Value"], v[name+".Unit"] = n.Value+" "+n.Unit, n.Value, n.Unit
}

// fit formats a time in a suitable unit, with four significant digits.
func fit(d time.Duration) number {
	for _, u := range []struct {
		name string
		of   time.Duration
	}{{"s", time.Second}, {"ms", time.Millisecond}, {"µs", time.Microsecond}} {
		if d >= u.of {
			v := float64(d) / float64(u.of)
			decimals := 3
			for limit := 10.0; limit <= 1000 && v >= limit; limit *= 10 {
				decimals--
			}
			return number{fmt.Sprintf("%.*f", decimals, v), u.name}
		}
	}
	return number{fmt.Sprint(d.Nanoseconds()), "ns"}
}

// grouped formats n with a thin space between groups of three digits.
func grouped(n uint64) string {
	s := fmt.Sprint(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "\u2009" + s[at:]
	}
	return s
}
