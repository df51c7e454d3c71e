package export

import (
	"io"
	"strconv"
	"strings"

	"example.com/iprof/gather"
)

// OpenMetricsType and TextType are the content types of the two texts.
const (
	OpenMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8"
	TextType        = "text/plain; version=0.0.4; charset=utf-8"
)

// WriteOpenMetrics writes all metrics in the OpenMetrics text format. It returns the error of w.
func (m *Metrics) WriteOpenMetrics(w io.Writer) error { return m.write(w, true) }

// WriteText writes all metrics in the text format of Prometheus. It returns the error of w.
func (m *Metrics) WriteText(w io.Writer) error { return m.write(w, false) }

func (m *Metrics) write(w io.Writer, open bool) error {
	t := metricText{open: open}
	m.mu.Lock()
	m.frameMetrics(&t)
	m.zoneMetrics(&t)
	m.lossMetrics(&t)
	m.mu.Unlock() // before writing: w may be slow, and frames must not wait
	if open {
		t.WriteString("# EOF\n")
	}
	_, err := io.WriteString(w, t.String())
	return err
}

func (m *Metrics) frameMetrics(t *metricText) {
	t.family("iprof_frame_seconds", "histogram", "seconds", "Length of frames.")
	sum := uint64(0)
	for i := range bucketCount {
		sum += m.buckets[i]
		t.sample("iprof_frame_seconds_bucket", float64(sum), "le", strconv.FormatFloat(bound(i), 'g', -1, 64))
	}
	t.sample("iprof_frame_seconds_bucket", float64(m.frames), "le", "+Inf")
	t.sample("iprof_frame_seconds_sum", m.seconds)
	t.sample("iprof_frame_seconds_count", float64(m.frames))
	t.counter("iprof_frame_busy_seconds", "seconds", "Time of frames without waiting.", m.busy)
	t.counter("iprof_frame_waiting_seconds", "seconds", "Time of frames in zones that wait.", m.waiting)
	t.counter("iprof_frames_over_budget", "", "Frames busy for longer than the frame budget.", float64(m.over))
	t.family("iprof_frame_budget_seconds", "gauge", "seconds", "The frame budget in force; 0 is none.")
	t.sample("iprof_frame_budget_seconds", m.budget.Seconds())
	t.counter("iprof_overhead_seconds", "seconds", "Time that measuring took.", m.overhead)
}

func (m *Metrics) zoneMetrics(t *metricText) {
	rows := m.zoneSeries()
	t.start("iprof_zone_self_seconds", "seconds", "Self time of a zone on all goroutines.")
	for _, r := range rows {
		t.sample("iprof_zone_self_seconds_total", m.ofTicks(r.outTicks), "zone", r.zone, "function", r.function)
	}
	t.start("iprof_zone_calls", "", "Entries of a zone.")
	for _, r := range rows {
		t.sample("iprof_zone_calls_total", float64(r.outCalls), "zone", r.zone, "function", r.function)
	}
}

func (m *Metrics) lossMetrics(t *metricText) {
	t.start("iprof_dropped", "", "What the limits kept out of the measurements since the program started, by kind.")
	for _, d := range drops(&m.dropped) {
		t.sample("iprof_dropped_total", float64(d.count), "kind", d.kind)
	}
	t.counter("iprof_clock_anomalies", "", "Times at which the clock ran backwards or stood still.",
		float64(m.misuse.ClockBack+m.misuse.ClockJump))
}

type drop struct {
	kind  string
	count uint64
}

func drops(d *gather.Dropped) []drop {
	return []drop{{"names", d.Names}, {"nodes", d.Nodes}, {"lanes", d.Lanes}, {"events", d.Events},
		{"counters", d.Counters}, {"memory", d.Memory}}
}

// metricText writes either text format.
type metricText struct {
	strings.Builder
	open bool
}

// family begins a metric.
func (t *metricText) family(name, kind, unit, help string) {
	t.WriteString("# HELP " + name + " " + help + "\n# TYPE " + name + " " + kind + "\n")
	if t.open && unit != "" {
		t.WriteString("# UNIT " + name + " " + unit + "\n")
	}
}

// start begins a counter. Only the older format has its suffix in the name.
func (t *metricText) start(name, unit, help string) {
	if !t.open {
		name += "_total"
	}
	t.family(name, "counter", unit, help)
}

func (t *metricText) counter(name, unit, help string, v float64) {
	t.start(name, unit, help)
	t.sample(name+"_total", v)
}

// sample writes a line, with labels given as names and values.
func (t *metricText) sample(name string, v float64, labels ...string) {
	t.WriteString(name)
	before := "{"
	for i := 0; i < len(labels); i += 2 {
		t.WriteString(before + labels[i] + `="` + labelEscapes.Replace(labels[i+1]) + `"`)
		before = ","
	}
	if len(labels) > 0 {
		t.WriteByte('}')
	}
	t.WriteString(" " + strconv.FormatFloat(v, 'g', -1, 64) + "\n")
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
