package text

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"example.com/iprof/process/report"
)

// jsonWriter writes a JSON object piece by piece. It keeps the first error.
type jsonWriter struct {
	p   *printer
	buf bytes.Buffer
	enc *json.Encoder // to buf
	err error
}

func newJSONWriter(w io.Writer) *jsonWriter {
	j := &jsonWriter{p: newPrinter(w)}
	j.enc = json.NewEncoder(&j.buf)
	return j
}

// value writes a value without its last bytes.
func (j *jsonWriter) value(v any, without int) {
	j.buf.Reset()
	if err := j.enc.Encode(v); err != nil {
		if j.err == nil {
			j.err = fmt.Errorf("text: writing JSON: %w", err)
		}
		return
	}
	b := j.buf.Bytes()
	j.p.w.Write(b[:len(b)-1-without]) // Encode ends with a line feed
}

// begin writes an object with some of its fields, and leaves it open.
func (j *jsonWriter) begin(fields any) { j.value(fields, 1) }

// name begins another field of the object.
func (j *jsonWriter) name(name string) { j.p.put(`,"`, name, `":`) }

// end ends the whole object, and returns the first error.
func (j *jsonWriter) end() error {
	j.p.put("}\n")
	if j.err != nil {
		return j.err
	}
	return j.p.flush()
}

// writeList writes a field that is an array.
func writeList[T, J any](j *jsonWriter, name string, from []T, of func(T) J) {
	j.name(name)
	j.p.put("[")
	out := new(J) // reused for all elements
	for i := range from {
		if i > 0 {
			j.p.put(",")
		}
		*out = of(from[i])
		j.value(out, 0)
	}
	j.p.put("]")
}

// writeSome writes a field that is an array, unless it is empty.
func writeSome[T, J any](j *jsonWriter, name string, from []T, of func(T) J) {
	if len(from) > 0 {
		writeList(j, name, from, of)
	}
}

// writeTrees writes a field that is an array of trees. split returns the fields of a tree, and its nodes.
func writeTrees[T any](j *jsonWriter, name string, from []T, split func(T) (any, []report.TreeNode)) {
	j.name(name)
	j.p.put("[")
	for i := range from {
		if i > 0 {
			j.p.put(",")
		}
		fields, nodes := split(from[i])
		j.begin(fields)
		writeList(j, "nodes", nodes, jsonNodeOf)
		j.p.put("}")
	}
	j.p.put("]")
}
