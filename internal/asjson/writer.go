package asjson

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"example.com/iprof/process/report"
)

// writer writes a JSON object piece by piece. It keeps the first error.
type writer struct {
	w   *bufio.Writer
	buf bytes.Buffer
	enc *json.Encoder // to buf
	err error
}

func newWriter(w io.Writer) *writer {
	j := &writer{w: bufio.NewWriterSize(w, 32<<10)}
	j.enc = json.NewEncoder(&j.buf)
	return j
}

// put writes text as it is.
func (j *writer) put(text string) { j.w.WriteString(text) }

// value writes a value without its last bytes.
func (j *writer) value(v any, without int) {
	j.buf.Reset()
	if err := j.enc.Encode(v); err != nil {
		if j.err == nil {
			j.err = err
		}
		return
	}
	b := j.buf.Bytes()
	j.w.Write(b[:len(b)-1-without]) // Encode ends with a line feed
}

// begin writes an object with some of its fields, and leaves it open.
func (j *writer) begin(fields any) { j.value(fields, 1) }

// name begins another field of the object.
func (j *writer) name(name string) { j.put(`,"` + name + `":`) }

// end ends the whole object, and returns the first error.
func (j *writer) end() error {
	j.put("}\n")
	if j.err == nil {
		j.err = j.w.Flush()
	}
	if j.err != nil {
		return fmt.Errorf("writing JSON: %w", j.err)
	}
	return nil
}

// writeList writes a field that is an array.
func writeList[T, J any](j *writer, name string, from []T, of func(T) J) {
	j.name(name)
	j.put("[")
	out := new(J) // reused for all elements
	for i := range from {
		if i > 0 {
			j.put(",")
		}
		*out = of(from[i])
		j.value(out, 0)
	}
	j.put("]")
}

// writeSome writes a field that is an array, unless it is empty.
func writeSome[T, J any](j *writer, name string, from []T, of func(T) J) {
	if len(from) > 0 {
		writeList(j, name, from, of)
	}
}

// writeTrees writes a field that is an array of trees. split returns the fields of a tree, and its nodes.
func writeTrees[T any](j *writer, name string, from []T, split func(T) (any, []report.TreeNode)) {
	j.name(name)
	j.put("[")
	for i := range from {
		if i > 0 {
			j.put(",")
		}
		fields, nodes := split(from[i])
		j.begin(fields)
		writeList(j, "nodes", nodes, nodeOf)
		j.put("}")
	}
	j.put("]")
}
