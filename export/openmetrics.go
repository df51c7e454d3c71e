package export

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/gather"
)

// OpenMetricsType and TextType are the content types of the two text formats.
const (
	OpenMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8"
	TextType        = "text/plain; version=0.0.4; charset=utf-8"
)

// WriteOpenMetrics writes all metrics in the OpenMetrics text format. It returns the error of w.
func (m *Metrics) WriteOpenMetrics(w io.Writer) error { return m.write(w, true) }

// WriteText writes all metrics in the text format of Prometheus. It returns the error of w.
func (m *Metrics) WriteText(w io.Writer) error { return m.write(w, false) }

// Family is a metric. Kind is "counter", "gauge" or "histogram"; Unit is "seconds" or "". Names are without "_total".
type Family struct {
	Name, Kind, Unit, Help string
	Samples                []Sample
}

// Sample is a value of a metric. Labels are names and values in turn. The samples of a histogram differ by Suffix:
// "_bucket", with the upper bound as label "le", "_sum" and "_count".
type Sample struct {
	Suffix string
	Labels []string
	Value  float64
}

// Families returns the present values of all metrics, for systems that do not read the text formats. The names are
// always the same, and in the same order.
func (m *Metrics) Families() []Family {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Concat(m.frameFamilies(), m.away.families(), m.zoneFamilies(), m.callFamilies(), m.lossFamilies())
}

func (m *Metrics) write(w io.Writer, open bool) error {
	t := metricText{open: open}
	for _, f := range m.Families() { // collect all before writing: w may be slow, and frames must not wait
		t.family(&f)
	}
	if open {
		t.WriteString("# EOF\n")
	}
	_, err := io.WriteString(w, t.String())
	return err
}

func counter(name, unit, help string, v float64) Family {
	return Family{name, "counter", unit, help, []Sample{{Value: v}}}
}

func (m *Metrics) frameFamilies() []Family {
	lengths := Family{Name: "iprof_frame_seconds", Kind: "histogram", Unit: "seconds", Help: "Length of frames."}
	lengths.Samples = append(bucketSamples(m.buckets[:], func(more ...string) []string { return more }),
		Sample{"_sum", nil, m.seconds})
	worked := Family{Name: "iprof_busy_seconds", Kind: "histogram", Unit: "seconds",
		Help: "Busy and blocked time of frames, which the budget judges."}
	worked.Samples = append(bucketSamples(m.worked[:], func(more ...string) []string { return more }),
		Sample{"_sum", nil, m.busy})
	return []Family{
		lengths,
		worked,
		counter("iprof_frame_busy_seconds", "seconds", "Time of frames without the waits that the program chose.",
			m.busy),
		counter("iprof_frame_waiting_seconds", "seconds", "Time of frames in idle zones that nothing blocked.",
			m.waiting),
		counter("iprof_frames_over_budget", "", "Frames busy or blocked for longer than the frame budget.",
			float64(m.over)),
		{"iprof_frame_budget_seconds", "gauge", "seconds", "The frame budget in force; 0 is none.",
			[]Sample{{Value: m.budget.Seconds()}}},
		{"iprof_event_driven", "gauge", "",
			"1 if the program waits for events outside zones, so that long frames are not slow.",
			[]Sample{{Value: one(m.driven)}}},
		counter("iprof_overhead_seconds", "seconds", "Time that measuring took.", m.overhead[0]),
		counter("iprof_overhead_low_seconds", "seconds", "Least time that measuring may have taken.", m.overhead[1]),
		counter("iprof_overhead_high_seconds", "seconds", "Most time that measuring may have taken.", m.overhead[2]),
	}
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func (m *Metrics) zoneFamilies() []Family {
	self := Family{Name: "iprof_zone_self_seconds", Kind: "counter", Unit: "seconds",
		Help: "Self time of a zone on all goroutines; waited: the part without a processor, by samples."}
	calls := Family{Name: "iprof_zone_calls", Kind: "counter", Help: "Entries of a zone."}
	for _, r := range m.zoneSeries() {
		labels := r.list()
		calls.Samples = append(calls.Samples, Sample{Labels: labels, Value: float64(r.outCalls)})
		add := func(waited string, ticks int64) {
			self.Samples = append(self.Samples, Sample{Labels: slices.Concat(labels, []string{"waited", waited}),
				Value: m.ofTicks(ticks)})
		}
		if add("false", r.outTicks-r.outWaited); r.outWaited > 0 {
			add("true", r.outWaited)
		}
	}
	return []Family{self, calls}
}

func (m *Metrics) lossFamilies() []Family {
	lost := Family{Name: "iprof_dropped", Kind: "counter",
		Help: "Measurements dropped because of limits since the program started, by kind."}
	for _, d := range drops(&m.dropped) {
		lost.Samples = append(lost.Samples, Sample{Labels: []string{"kind", d.kind}, Value: float64(d.count)})
	}
	return []Family{lost, counter("iprof_clock_anomalies", "",
		"Times at which the clock ran backwards or stood still.", float64(m.misuse.ClockBack+m.misuse.ClockJump))}
}

type drop struct {
	kind  string
	count uint64
}

func drops(d *gather.Dropped) []drop {
	return []drop{{"names", d.Names}, {"nodes", d.Nodes}, {"lanes", d.Lanes}, {"events", d.Events},
		{"counters", d.Counters}, {"memory", d.Memory}, {"marks", d.Marks}, {"states", d.States},
		{"foreign", d.Foreign}, {"slow_calls", d.Slow}, {"remarks", d.Remarks}}
}

// metricText writes either text format.
type metricText struct {
	strings.Builder
	open bool
}

// family writes a metric. Only the older format has a counter's suffix in its name.
func (t *metricText) family(f *Family) {
	name, suffix := f.Name, ""
	if f.Kind == "counter" {
		suffix = "_total"
		if !t.open {
			name += suffix
		}
	}
	t.WriteString("# HELP " + name + " " + f.Help + "\n# TYPE " + name + " " + f.Kind + "\n")
	if t.open && f.Unit != "" {
		t.WriteString("# UNIT " + name + " " + f.Unit + "\n")
	}
	for _, s := range f.Samples {
		t.sample(f.Name+suffix+s.Suffix, s.Value, s.Labels...)
	}
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
