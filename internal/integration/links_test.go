package integration_test

import (
	"go/doc"
	"go/doc/comment"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	bracketed = regexp.MustCompile(`\[\*?[A-Z]\w*(\.\w+)*\]|\[[a-z]\w*\.[A-Z][\w.]*\]`)
	nameLike  = regexp.MustCompile(`\b[A-Z]\w*(\.[A-Z]\w*)?\b`)
)

// notMeant are words of package comments that are a name of the package, too, but mean something else.
var notMeant = map[string]string{
	"viewer/hit": "Package", "input": "GLFW", "capture": "Reach", "platform": "Enter EnterCaller Leave UseCounter",
}

// TestPackageCommentsAreLinks: the comment of a package names nothing that the package exports without a link to it at
// the first place, and what looks like a link in any comment is one.
func TestPackageCommentsAreLinks(t *testing.T) {
	for _, folder := range publicPackages {
		t.Run(folder, func(t *testing.T) {
			p, _ := parsed(t, folder)
			exports, texts := described(p)
			linked := map[string]bool{}
			for i, text := range texts {
				eachText(p.Parser().Parse(text), func(x comment.Text) {
					switch x := x.(type) {
					case comment.Plain:
						for _, name := range bracketed.FindAllString(string(x), -1) {
							t.Errorf("got %s, which is no link: there is no such name", name)
						}
						for _, name := range nameLike.FindAllString(string(x), -1) {
							first, _, _ := strings.Cut(name, ".")
							if i == 0 && exports[first] && !linked[name] &&
								!slices.Contains(strings.Fields(notMeant[folder]), name) {
								t.Errorf("the package's comment names %s; want [%[1]s]", name)
							}
						}
					case *comment.DocLink:
						linked[strings.TrimPrefix(x.Recv+"."+x.Name, ".")] = true
					}
				})
			}
		})
	}
}

// described returns what a package exports, and its comments; that of the package is the first.
func described(p *doc.Package) (exports map[string]bool, texts []string) {
	exports, texts = map[string]bool{}, []string{p.Doc}
	values := func(list []*doc.Value) {
		for _, v := range list {
			texts = append(texts, v.Doc)
			for _, name := range v.Names {
				exports[name] = true
			}
		}
	}
	funcs := func(list []*doc.Func, exported bool) {
		for _, f := range list {
			texts = append(texts, f.Doc)
			exports[f.Name] = exports[f.Name] || exported
		}
	}
	values(slices.Concat(p.Consts, p.Vars))
	funcs(p.Funcs, true)
	for _, typ := range p.Types {
		texts, exports[typ.Name] = append(texts, typ.Doc), true
		values(slices.Concat(typ.Consts, typ.Vars))
		funcs(typ.Funcs, true)
		funcs(typ.Methods, false)
	}
	return exports, texts
}

// eachText visits the text of paragraphs and lists.
func eachText(d *comment.Doc, visit func(comment.Text)) {
	var blocks func(list []comment.Block)
	blocks = func(list []comment.Block) {
		for _, b := range list {
			switch b := b.(type) {
			case *comment.Paragraph:
				for _, x := range b.Text {
					visit(x)
				}
			case *comment.List:
				for _, item := range b.Items {
					blocks(item.Content)
				}
			}
		}
	}
	blocks(d.Content)
}
