package report

import (
	"slices"
	"sort"
	"strings"

	"example.com/iprof/gather"
)

// Code is the source text of the function that enters a zone. Package source reads it.
type Code struct {
	Function string // without package and type
	First    int    // number of the first of Lines
	Lines    []string
	Calls    []CodeCall // in the order of their lines
	Why      string     // why there is no text, or ""
}

// CodeCall is a call in the text of a function.
type CodeCall struct {
	Line     int
	Function string // name of the called function, without package and type
}

// CodeTime is a time of a line of a Code.
type CodeTime struct {
	Line int    // 0: the line is not in the text
	Zone ZoneID // the callee, or the zone itself
	Ms   float32
	How  CodeSite
	More int // further lines that call the same function; how the time divides among them is not known
}

// CodeSite says what the line of a CodeTime does.
type CodeSite uint8

// The sites.
const (
	CodeSelf   CodeSite = iota // the zone itself begins here; the time is its self time
	CodeBegin                  // the callee begins here, in the same function
	CodeCalled                 // the function in which the callee begins is called here
	CodeBelow                  // only the line where the callee begins is known, and it is in another function
)

// AppendTimes appends the times of the lines of a zone: its self time where it begins, and the time of each callee at
// the line that calls it. The zones are those of the Snapshot. The longest is first.
func (c *Code) AppendTimes(dst []CodeTime, a *Around, zones []gather.ZoneInfo) []CodeTime {
	info := func(zone ZoneID) gather.ZoneInfo {
		if zone < 0 || int(zone) >= len(zones) {
			return gather.ZoneInfo{}
		}
		return zones[zone]
	}
	own := info(a.Zone)
	for i := range a.Report.Records {
		r := &a.Report.Records[i]
		switch {
		case r.Zone == a.Zone && r.Group == GroupFocus && c.has(own.Line):
			dst = append(dst, CodeTime{Line: own.Line, Zone: r.Zone, Ms: float32(r.Values[ColumnSelf])})
		case r.Group == GroupChild:
			t := CodeTime{Zone: r.Zone, Ms: float32(r.Values[ColumnHier]), How: CodeBelow}
			c.find(&t, own, info(r.Zone))
			dst = append(dst, t)
		}
	}
	sort.SliceStable(dst, func(i, k int) bool { return dst[i].Ms > dst[k].Ms })
	return dst
}

// find finds the line of a callee.
func (c *Code) find(t *CodeTime, own, callee gather.ZoneInfo) {
	if callee.File == own.File && c.has(callee.Line) {
		t.Line, t.How = callee.Line, CodeBegin
		return
	}
	name := FunctionName(callee.Function)
	for i := range c.Calls {
		switch call := &c.Calls[i]; {
		case name == "" || call.Function != name:
		case t.Line == 0:
			t.Line, t.How = call.Line, CodeCalled
		case call.Line != t.Line:
			t.More++
		}
	}
}

// has reports whether a line is in the text.
func (c *Code) has(line int) bool { return line >= c.First && line < c.First+len(c.Lines) }

// FunctionName returns the name of a function without package and type: "collide" for "game.(*World).collide". For a
// function literal it returns the name of the function around it: "step" for "game.step.func1".
func FunctionName(function string) string {
	function = strings.ReplaceAll(function, "[...]", "") // of generic functions and types
	parts := strings.Split(function[strings.LastIndexByte(function, '/')+1:], ".")
	for n := len(parts) - 1; n > 0; n-- {
		p, _, _ := strings.Cut(strings.TrimSuffix(parts[n], "-fm"), "-range") // the body of a loop over a function
		if p != "" && !isLiteral(p) {
			return p
		}
	}
	return ""
}

// isLiteral reports whether a part of a name stands for a function literal: "func1", or "2".
func isLiteral(part string) bool {
	digits := strings.TrimPrefix(strings.TrimPrefix(part, "gowrap"), "func")
	return strings.Trim(digits, "0123456789") == ""
}

// Pick appends the indices of at most n lines, in ascending order. It prefers lines with a time, the longest first,
// then the lines around them. If all lines fit, it picks all.
func (c *Code) Pick(dst []int, times []CodeTime, n int) []int {
	if n >= len(c.Lines) {
		for i := range c.Lines {
			dst = append(dst, i)
		}
		return dst
	}
	first := len(dst)
	take := func(i int) {
		if i >= 0 && i < len(c.Lines) && len(dst)-first < n && !slices.Contains(dst[first:], i) {
			dst = append(dst, i)
		}
	}
	take(0)
	for i := range times {
		take(times[i].Line - c.First)
	}
	picked := dst[first:]
	for reach := 1; len(dst)-first < n && reach < len(c.Lines); reach++ {
		for _, i := range picked {
			take(i + reach)
			take(i - reach)
		}
	}
	slices.Sort(dst[first:])
	return dst
}
