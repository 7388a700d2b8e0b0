package main

import (
	"go/ast"
	"go/token"
	"slices"
)

// A walker reads the statements of one function.
type walker struct {
	*source
	results *ast.FieldList
}

// block reads statements. In a block that a guard leads into, the guard is the mutant of an error that is returned.
func (w *walker) block(list []ast.Stmt, guarded bool) {
	for _, s := range list {
		w.statement(s, guarded)
	}
}

func (w *walker) statement(s ast.Stmt, guarded bool) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		w.block(s.List, guarded)
	case *ast.IfStmt:
		if s.Init != nil {
			w.statement(s.Init, false)
		}
		refuses := w.refuses(s.Body.List)
		w.condition([]ast.Expr{s.Cond}, refuses)
		w.block(s.Body.List, refuses)
		if s.Else != nil {
			w.statement(s.Else, false)
		}
	case *ast.SwitchStmt:
		if s.Init != nil {
			w.statement(s.Init, false)
		}
		if s.Tag != nil {
			w.values(s.Tag)
		}
		for _, c := range s.Body.List {
			clause := c.(*ast.CaseClause)
			refuses := s.Tag == nil && len(clause.List) > 0 && w.refuses(clause.Body)
			if s.Tag == nil {
				w.condition(clause.List, refuses)
			}
			w.block(clause.Body, refuses)
		}
	case *ast.TypeSwitchStmt:
		for _, c := range s.Body.List {
			w.block(c.(*ast.CaseClause).Body, false)
		}
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			w.block(c.(*ast.CommClause).Body, false)
		}
	case *ast.ForStmt:
		w.block(s.Body.List, false)
	case *ast.RangeStmt:
		w.values(s.X)
		w.block(s.Body.List, false)
	case *ast.ReturnStmt:
		if last := w.failure(s); last != nil && !guarded {
			w.call(last, "Nil", w.add(returned, w.source.source(last), "nil"), "")
		}
		w.values(s)
	case *ast.LabeledStmt:
		w.statement(s.Stmt, guarded)
	default:
		w.values(s)
	}
}

// condition makes the mutants of what leads into a refusal: it is not met, or a comparison in it is off by one.
func (w *walker) condition(list []ast.Expr, refuses bool) {
	if refuses {
		text := w.source.source(list[0])
		for _, more := range list[1:] {
			text += ", " + w.source.source(more)
		}
		number := w.add(guard, text, "false")
		for _, e := range list {
			w.put(e.Pos(), callHead("Take", number))
		}
	}
	for _, e := range list {
		if refuses {
			w.boundaries(e)
		}
		w.values(e)
		if refuses {
			w.put(e.End(), ")")
		}
	}
}

// The comparisons that a boundary has, and what each is off by one.
var comparisons = map[token.Token]struct {
	call string
	flip token.Token
}{
	token.LSS: {"Less", token.LEQ}, token.LEQ: {"AtMost", token.LSS},
	token.GTR: {"Greater", token.GEQ}, token.GEQ: {"AtLeast", token.GTR},
}

func (w *walker) boundaries(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		w.boundaries(e.X)
	case *ast.UnaryExpr:
		w.boundaries(e.X)
	case *ast.BinaryExpr:
		c, ok := comparisons[e.Op]
		if !ok {
			w.boundaries(e.X)
			w.boundaries(e.Y)
			return
		}
		left, right := w.source.source(e.X), w.source.source(e.Y)
		number := w.add(boundary, left+" "+e.Op.String()+" "+right, left+" "+c.flip.String()+" "+right)
		w.put(e.X.Pos(), callHead(c.call, number))
		w.inserts = append(w.inserts, insert{at: w.offset(e.OpPos), drop: len(e.Op.String()), text: ","})
		w.put(e.Y.End(), ")")
	}
}

// refuses reports whether statements, those in inner blocks left out, return an error or hold a constant of a closed set that is
// not the good one.
func (w *walker) refuses(list []ast.Stmt) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.ReturnStmt:
			return w.failure(s) != nil || w.holds(s)
		case *ast.ExprStmt, *ast.AssignStmt, *ast.DeclStmt:
			return w.holds(s)
		}
		return false
	})
}

func (w *walker) holds(n ast.Node) (found bool) {
	w.constants(n, func(ast.Expr, string) { found = true })
	return found
}

// failure returns the error that a statement returns, nil for none. What a call of several results returns is its own affair.
func (w *walker) failure(s *ast.ReturnStmt) ast.Expr {
	if w.results == nil || len(s.Results) != w.results.NumFields() || len(s.Results) == 0 {
		return nil
	}
	last := s.Results[len(s.Results)-1]
	if id, ok := last.(*ast.Ident); ok && id.Name == "nil" {
		return nil
	}
	t := w.results.List[len(w.results.List)-1].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok && slices.Contains(errorTypes, id.Name) {
		return last
	}
	return nil
}

// errorTypes are the types of errors that the mutated packages return.
var errorTypes = []string{"error", "RecordError", "TrustFault", "FileError", "Refusal", "RetainRefusal", "MalformedError"}

// values makes the mutants of the constants in an expression or a statement without inner ones, and reads the functions in it.
func (w *walker) values(n ast.Node) {
	w.constants(n, func(e ast.Expr, flip string) {
		w.call(e, "Pick", w.add(constant, w.source.source(e), flip), ", "+flip)
	})
	ast.Inspect(n, func(n ast.Node) bool {
		literal, ok := n.(*ast.FuncLit)
		if ok {
			inner := &walker{source: w.source, results: literal.Type.Results}
			inner.block(literal.Body.List, false)
		}
		return !ok
	})
}

// constants gives each constant of a closed set that stands in n as a value and has a flip, and that. Compared with it is none,
// nor one that is a key of a map or the choice of a case.
func (w *walker) constants(n ast.Node, each func(e ast.Expr, flip string)) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if _, ordered := comparisons[n.Op]; ordered || n.Op == token.EQL || n.Op == token.NEQ {
				return false
			}
		case *ast.IndexExpr:
			w.constants(n.X, each)
			return false
		case *ast.KeyValueExpr:
			w.constants(n.Value, each)
			return false
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				w.flipOf(n, x.Name, n.Sel.Name, each)
			}
			w.constants(n.X, each)
			return false
		case *ast.Ident:
			w.flipOf(n, w.pkg, n.Name, each)
		}
		return true
	})
}

func (w *walker) flipOf(e ast.Expr, pkg, name string, each func(e ast.Expr, flip string)) {
	set, ok := w.consts[pkg+"."+name]
	if !ok {
		return
	}
	flip, closed := flips[set]
	switch {
	case set == exitCode:
		flip, closed = "ExitGood", true
	case flip == "":
		flip = `""`
	}
	if !closed || flip == name {
		return
	}
	if pkg != w.pkg && flip != `""` {
		flip = pkg + "." + flip
	}
	each(e, flip)
}
