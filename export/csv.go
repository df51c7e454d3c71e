package export

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/iprof/gather"
)

// NewCSV begins a table with one line for each stack of each frame: the frame's number and label, the lane, the stack
// from the outermost zone to the innermost with semicolons between them, the zone, its function, file and line, the
// number of calls, and self and hierarchical time in nanoseconds. Text that a spreadsheet would run as a formula gets
// an apostrophe in front. It leaves out counts, levels and the times of single calls.
//
//	x := export.NewCSV(w)
//	defer session.AddSink(x)() // or x.WriteFrame for each frame; x.Close ends the file
func NewCSV(w io.Writer) *Frames {
	t := &table{out: buffered(w)}
	t.out.WriteString("frame,label,lane,stack,zone,function,file,line,calls,self_ns,hier_ns\n")
	return newFrames(t.out, t)
}

// table gets the slices of the tree. It does not write a slice's place in time.
type table struct {
	out   *bufio.Writer
	zones []gather.ZoneInfo
	head  string // the cells of frame and label
	names map[gather.LaneID]string
	stackRows
}

func (t *table) name(_ gather.ZoneID, z *gather.ZoneInfo) { t.zones = append(t.zones, *z) }

func (t *table) lane(id gather.LaneID, name string) {
	if _, known := t.names[id]; known {
		return
	}
	if t.names == nil || len(t.names) > mostLanes {
		t.names = map[gather.LaneID]string{}
	}
	t.names[id] = cell(name)
}

func (t *table) frame(f *gather.Frame, _, _ int64) {
	t.head = strconv.FormatUint(f.Index, 10) + "," + cell(f.Label) + ","
}

func (t *table) end(lane gather.LaneID, at int64) {
	row, hier := t.top(at)
	z := &t.zones[row.zone]
	var stack strings.Builder
	for i, r := range t.stack {
		if i > 0 {
			stack.WriteByte(';')
		}
		stack.WriteString(separators.Replace(t.zones[r.zone].Name))
	}
	t.out.WriteString(t.head)
	for _, s := range []string{t.names[lane], cell(stack.String()), cell(z.Name), cell(z.Function), cell(z.File)} {
		t.out.WriteString(s)
		t.out.WriteByte(',')
	}
	t.out.WriteString(strconv.Itoa(z.Line))
	for _, v := range []int64{int64(row.calls), hier - row.below, hier} {
		t.out.WriteByte(',')
		t.out.WriteString(strconv.FormatInt(v, 10))
	}
	t.out.WriteByte('\n')
	t.pop()
}

func (t *table) close() {}

// cell returns text as a cell of a table.
func cell(s string) string {
	s = defuse(valid(s))
	if strings.ContainsAny(s, ",\"") {
		s = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// defuse puts an apostrophe before a text that a spreadsheet takes for a formula, also after spaces and with
// full-width signs, and before one that begins with an apostrophe.
func defuse(s string) string {
	trimmed := strings.TrimLeft(s, " ")
	first, _ := utf8.DecodeRuneInString(trimmed)
	if trimmed != "" && strings.ContainsRune("=+-@'＝＋－＠", first) {
		return "'" + s
	}
	return s
}
