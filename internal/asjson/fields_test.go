package asjson_test

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// fieldsOf adds the names of all fields in a type.
func fieldsOf(of reflect.Type, names map[string]bool) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice:
		fieldsOf(of.Elem(), names)
	case reflect.Struct:
		for i := range of.NumField() {
			f := of.Field(i)
			if name, _, tagged := strings.Cut(f.Tag.Get("json"), ","); tagged || name != "" {
				names[name] = true
			}
			if f.Anonymous || f.Type.Kind() != reflect.Struct {
				fieldsOf(f.Type, names)
			}
			if f.Type.PkgPath() == of.PkgPath() {
				fieldsOf(f.Type, names)
			}
		}
	}
}

// The comment of text.WriteJSON names each field, and no field that is not there.
func TestTheCommentNamesEachField(t *testing.T) {
	source := must.Get(os.ReadFile("../../draw/text/json.go"))(t)
	_, comment, _ := strings.Cut(string(source), "// WriteJSON writes")
	comment, _, _ = strings.Cut(comment, "\nfunc ")
	fields, words := map[string]bool{}, map[string]bool{}
	fieldsOf(reflect.TypeFor[asjson.File](), fields)
	for _, word := range regexp.MustCompile(`[a-zA-Z_0-9.]+`).FindAllString(comment, -1) {
		words[strings.Trim(word, ".")] = true
	}
	if len(fields) < 150 {
		t.Errorf("got %d fields; want all", len(fields))
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !words[name] {
			t.Errorf("the comment has no %s", name)
		}
	}
	for _, word := range slices.Sorted(maps.Keys(words)) {
		if strings.Contains(word, "_") && !fields[word] {
			t.Errorf("the comment has %s, which is no field", word)
		}
	}
}

// Rows have all that their records show, and where the function is.
func TestRowsReadBackEqual(t *testing.T) {
	for name, r := range map[string]*report.Report{"all columns": sampledump.Records(200), "masked": sampledump.Flat(),
		"graph": sampledump.CallGraph(), "hostile": sampledump.HostileReport()} {
		t.Run(name, func(t *testing.T) {
			d := &report.Dump{Report: r, Zones: make([]gather.ZoneInfo, 300)}
			for _, rec := range r.Records {
				if z := int(rec.Zone); z >= 0 && z < len(d.Zones) {
					d.Zones[z] = gather.ZoneInfo{Name: rec.Name, Function: "main.f", File: fmt.Sprintf("/src/%d.go", z),
						Line: z}
				}
			}
			f := must.Get(asjson.Read(bytes.NewReader(written(t, d))))(t)
			if len(f.Report.Rows) != len(r.Records) {
				t.Fatalf("got %d rows; want %d", len(f.Report.Rows), len(r.Records))
			}
			for i, row := range f.Report.Rows {
				if got, want := recordOf(row), shownOf(r.Records[i], r); !reflect.DeepEqual(got, want) {
					t.Fatalf("row %d: got %+v; want %+v", i, got, want)
				}
				if z := int(row.ID); z >= 0 && z < len(d.Zones) && d.Zones[z].Name == string(row.Zone) &&
					(row.Line != z || string(row.File) != d.Zones[z].File || row.Function != "main.f") {
					t.Fatalf("row %d: got %+v; want the place of zone %d", i, row.Site, z)
				}
			}
		})
	}
}

// recordOf makes a record from a row.
func recordOf(row asjson.Row) report.Record {
	rec := report.Record{Zone: row.ID, Path: row.Path, Name: string(row.Zone), Depth: row.Depth, Indent: row.Indent,
		Costly: row.Costly, Open: row.Open, Idle: row.Idle, Heat: row.Heat,
		Sign:      map[string]report.Sign{"closed": report.SignOpen, "opened": report.SignFocus}[row.Mark],
		Estimated: row.Estimated, StandardError: row.StandardError,
		Group: map[string]report.Group{"caller": report.GroupParent, "focus": report.GroupFocus,
			"callee": report.GroupChild}[row.Group]}
	for c := range report.Column(report.NumColumns) {
		if v, shown := row.Values[c.Info().Name]; shown {
			rec.Mask, rec.Values[c] = rec.Mask.With(c), v
		}
	}
	return rec
}

// shownOf clears what a row does not have: hidden values, the words for the place, and the group of a flat report.
func shownOf(rec report.Record, r *report.Report) report.Record {
	rec.Site = ""
	if r.View.Mode != report.ReportCallGraph {
		rec.Group = 0
	}
	always := report.ColumnsOf(report.ColumnSelf, report.ColumnHier, report.ColumnCount, report.ColumnSelfPercent,
		report.ColumnHierPercent, report.ColumnErrors, report.ColumnAtOnce, report.ColumnWaited)
	mask := rec.Mask
	rec.Mask = report.ColumnSet{}
	for c := range rec.Values {
		if at := report.Column(c); mask.Has(at) && (always.Has(at) || slices.Contains(r.Columns, at)) {
			rec.Mask = rec.Mask.With(at)
		}
		if !rec.Mask.Has(report.Column(c)) || math.IsNaN(rec.Values[c]) || math.IsInf(rec.Values[c], 0) {
			rec.Values[c] = 0
		}
	}
	return rec
}

// A reader refuses what it does not know.
func TestReadRefusesTheUnknown(t *testing.T) {
	for text, right := range map[string]bool{`{"format":"iprof","version":2,"frames":7}`: true,
		`{"format":"iprof","version":3}`: false, `{"format":"iprof dump","version":1}`: false, `[]`: false,
		`{"format":"iprof","version":2,"other":1}`: false, ``: false} {
		if f, err := asjson.Read(strings.NewReader(text)); (err == nil) != right || right && f.Frames != 7 {
			t.Errorf("%s: got %+v, %v; want it read: %t", text, f, err, right)
		}
	}
}
