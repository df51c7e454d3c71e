package process

// This file reads the lines of a report: see Report.Lines.

// CursorRecord returns the record under the cursor, or nil.
func (r *Report) CursorRecord() *Record {
	if r.Cursor < 0 || r.Cursor >= len(r.Records) {
		return nil
	}
	return &r.Records[r.Cursor]
}

// Len returns the number of lines: see Report.Lines.
func (r *Report) Len() int {
	if r.Lines == nil {
		return len(r.Records)
	}
	return len(r.Lines)
}

// Line returns the row on a line and the index of its record. The index is -1 for the heading of a package. The line
// must be in range.
func (r *Report) Line(line int) (row *Record, record int) {
	switch {
	case r.Lines == nil:
		return &r.Records[line], line
	case r.Lines[line] < 0:
		return &r.Packages[^r.Lines[line]].Record, -1
	}
	return &r.Records[r.Lines[line]], int(r.Lines[line])
}

// Package returns the package whose heading is on a line, or nil. The line must be in range.
func (r *Report) Package(line int) *PackageRow {
	if r.Lines == nil || r.Lines[line] >= 0 {
		return nil
	}
	return &r.Packages[^r.Lines[line]]
}

// LineOf returns the line of a record, or of the folded package with the record, or -1 if it is not shown.
func (r *Report) LineOf(record int) int {
	switch {
	case record < 0 || record >= len(r.Records):
		return -1
	case r.Lines == nil:
		return record
	}
	for line, i := range r.Lines {
		if int(i) == record || i < 0 && r.folds(^i, record) {
			return line
		}
	}
	return -1
}

// folds reports whether a folded package hides a record.
func (r *Report) folds(at int32, record int) bool {
	p := &r.Packages[at]
	return p.Folded && record >= 0 && record < len(r.ofRow) && r.ofRow[record] == int32(p.ID)
}

// Grouped reports whether the rows have headings.
func (r *Report) Grouped() bool {
	return r.View.Grouping != GroupingNone && r.View.Mode.flat()
}

// Step returns the record that is a number of lines below a record, or above it if lines is negative. It stops at the
// ends, and skips headings of unfolded packages. From a hidden record it starts at the first line. Without lines it
// returns -1.
func (r *Report) Step(record, lines int) int {
	if r.Len() == 0 {
		return -1
	}
	line := r.LineOf(min(max(record, 0), len(r.Records)-1))
	if line < 0 && lines < 0 {
		line = 0
	}
	line = min(max(line+lines, 0), r.Len()-1)
	way := 1
	if lines < 0 && line > 0 {
		way = -1
	}
	for line+way >= 0 && line+way < r.Len() && r.heading(line) {
		line += way
	}
	if p := r.Package(line); p != nil {
		return p.First
	}
	_, at := r.Line(line)
	return at
}

// heading reports whether a line is a heading with its rows below it.
func (r *Report) heading(line int) bool {
	p := r.Package(line)
	return p != nil && !p.Folded
}
