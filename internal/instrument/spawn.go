package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
)

// readSpawns finds the function's go statements. Those inside closures belong to the closures.
func (f *Function) readSpawns(fset *token.FileSet, body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.GoStmt:
			f.spawns = append(f.spawns, fset.PositionFor(n.Pos(), false).Offset)
		}
		return true
	})
}

// addSpawns inserts a note before each go statement of the function, for the report's table of go statements.
func (f *Function) addSpawns(e *edits, t *table) (changed bool) {
	if t.std || f.skip != "" || f.Reason == excluded {
		return false
	}
	for _, offset := range f.spawns {
		e.insert(offset, fmt.Sprintf("%s[%d].Note(); ", t.spawnName(), t.spawns))
		t.spawns++
	}
	return len(f.spawns) > 0
}
