package html_test

import (
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/draw/html"
	"example.com/iprof/internal/sampledump"
)

// Each table has a caption, by which a screen reader lists it.
func TestEachTableHasACaption(t *testing.T) {
	doc := page(t, sampledump.Game(), html.Options{})
	tables := strings.Count(doc, "<table")
	if named := len(regexp.MustCompile(`<table[^>]*><caption>[^<]+</caption>`).FindAllString(doc, -1)); tables < 5 ||
		named != tables {
		t.Errorf("got %d captions of %d tables; want one each", named, tables)
	}
}
