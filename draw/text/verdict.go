package text

import (
	"io"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// WriteVerdict writes a verdict as one line, or nothing for a verdict without a cause. Errors are the writer's.
func WriteVerdict(w io.Writer, v *report.Verdict) error {
	if !v.Found() {
		return nil
	}
	_, err := io.WriteString(w, verdict(v)+"\n")
	return err
}

// WriteVerdictAt is WriteVerdict, with the function and the line in which the zone of the cause is entered, where zone
// knows them: "Frame 7: +21.0 ms. physics 24.0 (usually 3.0). In game.physics, world.go:88."
func WriteVerdictAt(w io.Writer, v *report.Verdict, zone func(report.ZoneID) gather.ZoneInfo) error {
	if !v.Found() {
		return nil
	}
	_, err := io.WriteString(w, verdictAt(v, zone)+"\n")
	return err
}

// verdictAt returns the line of WriteVerdictAt.
func verdictAt(v *report.Verdict, zone func(report.ZoneID) gather.ZoneInfo) string {
	c := v.Target()
	for i := range v.Causes { // what another goroutine did meanwhile explains a wait
		if v.Causes[i].Kind == report.CauseWorker {
			c = v.Causes[i]
		}
	}
	if c.Path <= 0 || c.Zone <= 0 || zone == nil {
		return verdict(v)
	}
	z := zone(c.Zone)
	if z.File == "" {
		return verdict(v)
	}
	if z.Function == "" {
		return verdict(v) + " At " + shown(z.Site()) + "."
	}
	return verdict(v) + " In " + shown(z.Function[strings.LastIndexByte(z.Function, '/')+1:]) + ", " +
		shown(z.Site()) + "."
}

// inZones returns the zones of a dump by id.
func inZones(zones []gather.ZoneInfo) func(report.ZoneID) gather.ZoneInfo {
	return func(id report.ZoneID) (z gather.ZoneInfo) {
		if id >= 0 && int(id) < len(zones) {
			z = zones[id]
		}
		return z
	}
}

// verdict returns the verdict's line with escaped names.
func verdict(v *report.Verdict) string { return string(v.AppendText(nil, shown)) }
