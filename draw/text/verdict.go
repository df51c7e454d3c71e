package text

import (
	"io"

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

// verdict returns the verdict's line with escaped names.
func verdict(v *report.Verdict) string { return string(v.AppendText(nil, shown)) }
