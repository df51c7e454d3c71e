package html

import (
	"slices"
	"sort"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
)

// nameOr returns a name, or words for one that would show nothing.
func nameOr(name string) string {
	if isBlank(name) {
		return "(unnamed)"
	}
	return name
}

// busySeries returns the zones of the history that work: its columns show busy time.
func (p *page) busySeries() (list []*report.Series) {
	for i := range p.d.Series {
		if s := &p.d.Series[i]; !s.Idle {
			list = append(list, s)
		}
	}
	return list
}

// workOf returns the work in each frame of the history, in ms: the judged time, or without a budget the work of all
// goroutines. Of a trace, time outside zones is not known to be work.
func (p *page) workOf(history []report.FrameSummary) []float64 {
	list, zones := make([]float64, len(history)), p.busySeries()
	for i := range history {
		switch f := &history[i]; {
		case p.d.Kind.HasFrames() || p.budget > 0:
			list[i] = float64(f.Judged())
		case p.d.Kind == report.KindTrace:
			for _, s := range zones {
				list[i] += p.valueAt(s, i)
			}
		default:
			list[i] = float64(f.Busy) + float64(f.Others)
		}
	}
	return list
}

// valueAt returns the time of a zone in a frame of the history, 0 if it is not known.
func (p *page) valueAt(s *report.Series, frame int) float64 {
	at := frame + len(s.Values) - len(p.d.History)
	if at < 0 || at >= len(s.Values) || s.Values[at]-s.Values[at] != 0 {
		return 0
	}
	return float64(s.Values[at])
}

// shown returns the time of a zone in the frame chosen, or its mean.
func (p *page) shown(s *report.Series) float64 {
	if of := p.chosen.of; of != nil {
		return p.valueAt(s, p.open[of.Index])
	}
	sum := 0.0
	for i := range p.d.History {
		sum += p.valueAt(s, i)
	}
	return sum / float64(max(1, len(p.d.History)))
}

// legend lists the layers of the history from top to bottom, with their time in the frame chosen, or the mean.
func (p *page) legend() {
	list := p.busySeries()
	if len(list) == 0 {
		return
	}
	judged := 0.0
	for i := range p.d.History {
		if of := p.chosen.of; of == nil {
			judged += p.worked[i] / float64(len(p.d.History))
		} else if of == &p.d.History[i] {
			judged = p.worked[i]
		}
	}
	for _, s := range list {
		judged -= p.shown(s)
	}
	what := markup("mean, ms")
	if p.chosen.of != nil {
		what = markup(p.chosen.title) + ", ms"
	}
	p.put(`<ul class="legend"><li class="quiet">`, what,
		`</li><li><svg class="swatch"><rect fill="var(--grey)"/></svg>`,
		`<span class="name">other zones</span> <b>`, short(max(judged, 0)), "</b></li>")
	for _, s := range slices.Backward(list) {
		p.put("<li", p.whole(s.Zone), ">", p.swatch(s.Zone), `<span class="name">`)
		name := "<bdi>" + escaped(p.signOf(s.Zone)) + shortened(p.label(s.Zone), mostShown) + "</bdi>"
		p.put(linked(p.zoneLink(s.Zone), name), "</span> <b>", short(p.shown(s)), "</b></li>")
	}
	p.put("</ul>")
}

// signOf returns the sign of a zone of which something is estimated in the run.
func (p *page) signOf(id report.ZoneID) string { return p.signs[id].Sign() }

// partsOf returns the parts of a frame's length, as in the window.
func partsOf(f *report.FrameSummary) markup {
	text := short(float64(f.Busy)) + " busy"
	waiting := max(0, float64(f.Length-f.Busy-f.Blocked))
	if f.Blocked > 0 {
		text += " + " + short(float64(f.Blocked)) + " blocked"
	}
	if !(f.Blocked > 0) || waiting >= 0.05 {
		text += " + " + short(waiting) + " waiting"
	}
	return text
}

// waitsOf returns the waits of all goroutines in a frame, as in the window: those of at least 5 % of it. A sum above
// the frame's length is given as the goroutines that waited at once, on average.
func waitsOf(f *report.FrameSummary) markup {
	if !f.Waited() && f.Blocked <= 0 {
		return ""
	}
	var words []markup
	var units []markup
	for _, w := range [...]struct {
		name markup
		ms   float32
	}{{"runnable", f.RunQueue}, {"locks", f.LockWait}} {
		if !(w.ms >= 0.05 && w.ms >= 0.05*f.Length) {
			continue
		}
		number, unit := markup(draw.AppendFixed(nil, float64(w.ms), 1)), markup(" ms")
		if n := report.WaitingAtOnce(float64(w.ms), float64(f.Length)); n > 0 {
			number, unit = markup(report.AppendGoroutines(nil, n)), " goroutines"
		}
		words, units = append(words, w.name+" ~"+number), append(units, unit)
	}
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0] + units[0]
	}
	if units[0] == units[1] {
		units[0] = ""
	}
	return words[0] + units[0] + " · " + words[1] + units[1]
}

// largest returns the zones with the most time in a frame of the history, a line each.
func (p *page) largest(frame int) (text markup) {
	list := p.busySeries()
	sort.SliceStable(list, func(i, k int) bool { return p.valueAt(list[i], frame) > p.valueAt(list[k], frame) })
	for _, s := range list[:min(len(list), 4)] {
		if v := p.valueAt(s, frame); v > 0 {
			text += "\n" + escaped(p.signOf(s.Zone)) + esc(shortName(p.label(s.Zone))) + " " + short(v)
		}
	}
	return text
}
