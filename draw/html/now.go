package html

import (
	"encoding/json"
	"fmt"
	"io"

	"example.com/iprof/process/report"
)

// WriteNow writes the answer that a page with Options.Live requests: the data of d and the page's header, as JSON.
// Errors are the writer's. Any goroutine may call WriteNow.
//
//	html.WriteNow(w, session.Dump(report.DumpOptions{NoFrames: true}), html.Options{})
func WriteNow(w io.Writer, d *report.Dump, o Options) error {
	head, err := json.Marshal(headOf(pageParts(true).values(d), d.Warnings))
	if err == nil {
		_, err = w.Write(append(head[:len(head)-1], `,"data":`...))
	}
	if err == nil {
		err = encode(w, d, &o)
	}
	if err == nil {
		_, err = io.WriteString(w, "}")
	}
	if err != nil {
		return fmt.Errorf("html: writing what is new: %w", err)
	}
	return nil
}

// head has the text above a page's data.
type head struct {
	Facts    [][3]string `json:"facts"` // name, value and unit
	Run      [2]string   `json:"run"`   // its length
	Warnings []string    `json:"warnings"`
}

// headOf makes the head from the values of the page's template.
func headOf(v values, warnings []string) *head {
	text := func(name string) string {
		s, _ := v[name].(string)
		return s
	}
	h := &head{Run: [2]string{text(".RunTime.Value"), text(".RunTime.Unit")}, Warnings: []string{}}
	share := ""
	if s := text(".Share"); s != "" {
		share = " · " + s
	}
	for _, f := range [...][3]string{{"frames", text(".Frames")}, {"goroutines", text(".Lanes")},
		{"calls", text(".Calls")}, {"overhead", text(".Overhead.Value"), text(".Overhead.Unit") + share},
		{"processor time", text(".CPU.Value"), text(".CPU.Unit")}} {
		if f[1] != "" {
			h.Facts = append(h.Facts, f)
		}
	}
	for _, w := range warnings {
		h.Warnings = append(h.Warnings, visible(w))
	}
	return h
}
