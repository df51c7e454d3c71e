//go:build js && wasm

package main

import (
	"encoding/json"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"example.com/iprof/draw/text"
	"example.com/iprof/process/report"
)

// mirror is what a screen reader finds beside the canvas: the sentence, and the table around the chosen row.
type mirror struct {
	Sentence string     `json:"sentence"`
	Caption  string     `json:"caption"`
	Head     []string   `json:"head"`
	Rows     [][]string `json:"rows"`
	Chosen   int        `json:"chosen"` // the index of the chosen row, -1 without one
}

// mirrored is the state of the mirror between pictures.
type mirrored struct {
	at     uint64 // the panel's view in the mirror
	list   string // and the list
	last   time.Time
	waking bool
}

// mostMirrored is the greatest number of rows in the mirror; mirrorEvery the least time between two of its changes.
const (
	mostMirrored = 60
	mirrorEvery  = time.Second
)

// showMirror brings the mirror up to date, at most once a second and only after a change.
func (p *page) showMirror() {
	t, m := p.desk.Tab(), &p.mirrored
	state := t.Panel().State()
	at, list := t.Panel().View().Generation(), state.List
	if len(state.ListRow) > 0 {
		list += "\n" + strings.Join(state.ListRow, "\n")
	}
	if at == m.at && list == m.list {
		return
	}
	if wait := mirrorEvery - time.Since(m.last); wait > 0 {
		if !m.waking {
			m.waking = true
			time.AfterFunc(wait, func() { m.waking = false; p.wake() })
		}
		return
	}
	m.at, m.list = at, list
	m.last = time.Now()
	var r report.Report
	t.Panel().View().AppendReport(&r)
	now := mirrorOf(&r, !t.Session().Paused())
	if state.List != "" {
		now = &mirror{Sentence: now.Sentence, Caption: state.List, Chosen: -1}
		if state.ListRow != nil {
			now.Rows, now.Chosen = [][]string{state.ListRow}, 0
		}
	}
	if words, err := json.Marshal(now); err == nil {
		js.Global().Get("iprofFiles").Call("mirror", string(words))
	}
}

// mirrorOf describes a report. A live one without a verdict has no sentence, as that would change each second.
func mirrorOf(r *report.Report, live bool) *mirror {
	m := &mirror{Caption: text.Name(r.Title), Chosen: -1}
	if live {
		m.Caption = "zones, live"
	}
	if r.Verdict.Found() {
		m.Sentence = string(r.Verdict.AppendText(nil, text.Name))
	} else if !live {
		m.Sentence = m.Caption
	}
	columns := []report.Column{report.ColumnSelf, report.ColumnHier, report.ColumnCount}
	m.Head = append(m.Head, report.ColumnName.Info().Heading)
	for _, c := range columns {
		m.Head = append(m.Head, c.Info().Heading)
	}
	first := max(r.Cursor-mostMirrored/2, 0)
	for i := first; i < min(first+mostMirrored, len(r.Records)); i++ {
		row := []string{text.Name(r.Records[i].Name)}
		for _, c := range columns {
			row = append(row, strconv.FormatFloat(r.Records[i].Values[c], 'f', 2, 64))
		}
		if i == r.Cursor {
			m.Chosen = len(m.Rows)
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}
