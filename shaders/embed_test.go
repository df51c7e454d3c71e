package shaders

import (
	"strings"
	"testing"
)

func TestQuadsWritesEachDialectItsOwnWay(t *testing.T) {
	words := []struct {
		dialect  Dialect
		version  string
		has, not string
	}{
		{DialectGLSL110, "#version 110\n", "gl_FragColor", "precision"},
		{DialectGLSL150, "#version 150\n", "out vec4 result", "precision"},
		{DialectGLSL100ES, "#version 100\n", "precision highp float", "out vec4 result"},
		{DialectGLSL300ES, "#version 300 es\n", "precision highp float", "gl_FragColor"},
	}
	for _, w := range words {
		t.Run(w.version, func(t *testing.T) {
			vertex, fragment := Quads(w.dialect, "")
			for stage, source := range map[string]string{"vertex": vertex, "fragment": fragment} {
				if !strings.HasPrefix(source, w.version) {
					t.Errorf("got %s stage starting %.20q; want %q", stage, source, w.version)
				}
			}
			if !strings.Contains(fragment, w.has) || strings.Contains(fragment, w.not) {
				t.Errorf("got a fragment stage for %q\n%s\nwant %q in it and %q not", w.version, fragment, w.has, w.not)
			}
		})
	}
}

func TestQuadsNamesThePositionByItsTag(t *testing.T) {
	vertex, _ := Quads(DialectGLSL150, "17x")
	if want := "#define POSITION iprofPosition17x\n"; !strings.Contains(vertex, want) {
		t.Errorf("got\n%s\nwant %q in it", vertex, want)
	}
}

func TestSourcesAreASCII(t *testing.T) {
	for _, source := range []string{quadsVertex, quadsFragment} {
		for i, r := range source {
			if r > 126 {
				t.Errorf("got %q at %d; want ASCII, which is all that old compilers take", r, i)
			}
		}
	}
}
