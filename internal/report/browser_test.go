package report_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// A browser is a headless Chromium with one page, driven by the DevTools protocol over two pipes: each message is JSON and ends
// with a NUL.
type browser struct {
	t       *testing.T
	in      io.Writer
	replies chan message
	events  []message
	last    int
	session string
}

type message struct {
	ID     int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct{ Message string }
}

// patience is how long a browser may take for one answer.
const patience = time.Minute

func newBrowser(t *testing.T) *browser {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the pipes are handed on as on Unix")
	}
	path := program(t, "chromium")
	toRead, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, toWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--remote-debugging-pipe", "--user-data-dir="+t.TempDir())
	cmd.ExtraFiles = []*os.File{toRead, toWrite}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	toRead.Close()
	toWrite.Close()
	b := &browser{t: t, in: in, replies: make(chan message, 1_000)}
	go func() {
		defer close(b.replies)
		lines := bufio.NewReader(out)
		for {
			text, err := lines.ReadBytes(0)
			if err != nil {
				return
			}
			var m message
			if err := json.Unmarshal(text[:len(text)-1], &m); err == nil {
				b.replies <- m
			}
		}
	}()
	t.Cleanup(func() {
		b.session = ""
		b.call("Browser.close", nil, nil)
		in.Close()
		cmd.Wait()
		out.Close()
	})
	var target struct{ TargetID string }
	b.call("Target.createTarget", args{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", args{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Network", "Page", "Runtime", "Log"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

type args map[string]any

// call sends a command and reads its result.
func (b *browser) call(method string, params args, result any) {
	b.t.Helper()
	b.last++
	command := args{"id": b.last, "method": method}
	if params != nil {
		command["params"] = params
	}
	if b.session != "" {
		command["sessionId"] = b.session
	}
	text, err := json.Marshal(command)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	m := b.next(method, func(m message) bool { return m.ID == b.last })
	if m.Error != nil {
		b.t.Fatalf("%s: %s", method, m.Error.Message)
	}
	if result != nil {
		if err := json.Unmarshal(m.Result, result); err != nil {
			b.t.Fatalf("%s: %v", method, err)
		}
	}
}

// next returns the next message that is wanted and keeps the events before it.
func (b *browser) next(what string, wanted func(message) bool) message {
	b.t.Helper()
	late := time.After(patience)
	for {
		select {
		case m, open := <-b.replies:
			switch {
			case !open:
				b.t.Fatalf("%s: the browser ended", what)
			case m.Method != "":
				b.events = append(b.events, m)
			}
			if wanted(m) {
				return m
			}
		case <-late:
			b.t.Fatalf("%s: no answer after %s", what, patience)
		}
	}
}

// open shows a file and waits until it is loaded.
func (b *browser) open(path string) {
	b.t.Helper()
	b.events = nil
	b.call("Page.navigate", args{"url": "file://" + filepath.ToSlash(path)}, nil)
	loaded := func(m message) bool { return m.Method == "Page.loadEventFired" }
	if !slices.ContainsFunc(b.events, loaded) {
		b.next("load", loaded)
	}
}

// requests are the addresses that the page asked for, and complaints what the browser has to say of it.
func (b *browser) requests() (list, complaints []string) {
	b.eval("0") // whatever was on its way has arrived
	for _, m := range b.events {
		switch m.Method {
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			if err := json.Unmarshal(m.Params, &p); err != nil {
				b.t.Fatal(err)
			}
			list = append(list, p.Request.URL)
		case "Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled":
			complaints = append(complaints, string(m.Params))
		}
	}
	return list, complaints
}

// eval returns the value of an expression in the page.
func (b *browser) eval(expression string, values ...any) any {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", args{"expression": fmt.Sprintf(expression, values...), "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, r.ExceptionDetails)
	}
	return r.Result.Value
}

// want fails where an expression has another value.
func (b *browser) want(want any, expression string, values ...any) {
	b.t.Helper()
	if n, ok := want.(int); ok {
		want = float64(n)
	}
	if got := b.eval(expression, values...); got != want {
		b.t.Errorf("%s = %v, want %v", fmt.Sprintf(expression, values...), got, want)
	}
}

// press presses a key and lets it go.
func (b *browser) press(key string, code int, text string) {
	b.t.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		p := args{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code}
		if kind == "keyDown" && text != "" {
			p["text"] = text
		}
		b.call("Input.dispatchKeyEvent", p, nil)
	}
}

func (b *browser) tab()   { b.t.Helper(); b.press("Tab", 9, "") }
func (b *browser) enter() { b.t.Helper(); b.press("Enter", 13, "\r") }

func (b *browser) scheme(name string) {
	b.call("Emulation.setEmulatedMedia", args{"features": []args{{"name": "prefers-color-scheme", "value": name}}}, nil)
}

func (b *browser) width(columns int) {
	b.call("Emulation.setDeviceMetricsOverride", args{"width": columns, "height": 800, "deviceScaleFactor": 1, "mobile": false}, nil)
}

func saved(t *testing.T, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	visibleRows = `Array.from(document.getElementById(%q).tBodies[0].rows).filter(r => r.getClientRects().length > 0).length`
	filterSays  = `document.querySelector("form[data-table=%s] output").textContent`
)

// The page in a browser asks for nothing but itself, and the browser has nothing to complain of. That it would be seen is shown by
// a page that asks for more.
func TestBrowserAsksForNothing(t *testing.T) {
	b := newBrowser(t)
	path := saved(t, inText(t, hostiles["elements"]).html(t, 0))
	b.open(path)
	list, complaints := b.requests()
	if want := []string{"file://" + path}; !slices.Equal(list, want) || len(complaints) > 0 {
		t.Errorf("the page asks for %q, want %q; complaints: %q", list, want, complaints)
	}
	other := saved(t, []byte(`<!DOCTYPE html><title>x</title><img src="nothing.png">`))
	b.open(other)
	if list, _ := b.requests(); len(list) != 2 {
		t.Errorf("a page with an image asks for %q, want two addresses", list)
	}
	closed := saved(t, []byte(`<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><script>1</script>`))
	b.open(closed)
	if _, complaints := b.requests(); len(complaints) == 0 {
		t.Error("the browser does not complain of a script that the policy of a page closes out")
	}
}

// The script filters and sorts.
func TestBrowserFilters(t *testing.T) {
	const rows = 10_000
	b := newBrowser(t)
	b.open(saved(t, manyFindings(rows).html(t, rows)))
	b.want(rows, visibleRows, "findings-table")
	b.want("10000 of 10000 rows shown", filterSays, "findings-table")
	b.eval(`document.querySelector("form[data-table=findings-table] input").focus()`)
	for _, try := range []struct {
		text  string
		shown int
	}{{`FRAME_ID "id-1915"`, 1}, {"id-1915 no-such-word", 0}, {"", rows}, {"id-77", 111}} {
		b.eval(`document.querySelector("form[data-table=findings-table] input").select()`)
		b.press("Delete", 46, "")
		b.call("Input.insertText", args{"text": try.text}, nil)
		b.want(try.shown, visibleRows, "findings-table")
		says := fmt.Sprintf("%d of %d rows shown", try.shown, rows)
		b.want(says, filterSays, "findings-table")
	}
	b.want(rows/1_000, visibleRows, "frames-table")

	b.open(saved(t, inText(t, harmless).html(t, 0)))
	choose := `{const s = document.querySelector("form[data-table=frames-table] select[name=%s]"); s.value = %q; s.dispatchEvent(new Event("input", {bubbles: true}))}`
	all := b.eval(visibleRows, "frames-table")
	b.eval(choose, "state", "pinned")
	b.want(2, visibleRows, "frames-table")
	b.eval(choose, "class", "unreadable")
	b.want(0, visibleRows, "frames-table")
	b.eval(choose, "class", "")
	b.eval(choose, "state", "")
	b.want(all, visibleRows, "frames-table")

	column := `Array.from(document.getElementById("frames-table").tBodies[0].rows).map(r => r.cells[%d].textContent).join()`
	before := b.eval(column, 2)
	b.eval(`document.querySelectorAll("#frames-table th button")[2].focus()`)
	b.enter()
	b.want("ascending", `document.querySelectorAll("#frames-table th")[2].getAttribute("aria-sort")`)
	up, _ := b.eval(column, 2).(string)
	if list := strings.Split(up, ","); !strings.HasPrefix(list[0], "0 ") || !strings.HasPrefix(list[3], "2 ") || !strings.HasPrefix(list[11], "10 ") {
		t.Errorf("sorted by frame the rows are %s", up)
	}
	b.enter()
	b.want("descending", `document.querySelectorAll("#frames-table th")[2].getAttribute("aria-sort")`)
	if down := b.eval(column, 2); down == up || down == before {
		t.Errorf("sorted the other way the rows are %s", down)
	}
	b.enter()
	b.want(nil, `document.querySelectorAll("#frames-table th")[2].getAttribute("aria-sort")`)
	b.want(before, column, 2)
}

// Everything that can be operated is reached with the tab key, in the order of the page, is seen to have the focus, and is left
// again.
func TestBrowserKeyboard(t *testing.T) {
	b := newBrowser(t)
	for _, width := range []int{1200, 400} {
		b.width(width)
		b.open(saved(t, inText(t, harmless).html(t, 0)))
		b.eval(`window.reached = []; window.unseen = [];
			window.stops = () => Array.from(document.querySelectorAll("a[href], input, select, button, summary, [tabindex='0']"))
				.filter(e => e.checkVisibility({contentVisibilityAuto: true}) && !(e.parentElement.closest("details:not([open])") &&
					!(e.localName === "summary" && e.parentElement.open === false && !e.parentElement.parentElement.closest("details:not([open])"))))`)
		b.tab()
		b.want("Skip to the report", `document.activeElement.textContent`)
		total := int(b.eval(`stops().length`).(float64))
		for range total {
			b.eval(`{const e = document.activeElement, s = getComputedStyle(e), r = e.getBoundingClientRect();
				reached.push(e);
				if (s.outlineStyle === "none" || parseFloat(s.outlineWidth) < 2 || r.width < 2 || r.right < 0) unseen.push(e.outerHTML.slice(0, 80))}`)
			b.tab()
		}
		b.want("", `unseen.join("\n")`)
		b.want(true, `JSON.stringify(stops().map(e => reached.indexOf(e))) === JSON.stringify(stops().map((e, i) => i))`)
		b.want(true, `document.activeElement === document.body || document.activeElement === stops()[0]`)
		if total < 50 {
			t.Errorf("%d places are reached, want those of all frames", total)
		}
	}
	b.open(saved(t, inText(t, harmless).html(t, 0)))
	b.tab()
	b.enter()
	b.want("main", `document.activeElement.id`)
	b.eval(`document.querySelector("#frames-table details summary").focus()`)
	b.enter()
	b.want(true, `document.querySelector("#frames-table details").open`)
	b.want(true, `document.querySelector("#frames-table .claims").checkVisibility()`)
}

// Every text has the contrast of WCAG 2.2 §1.4.3, AA, against what stands behind it, light and dark, and nothing is wider than
// the window.
func TestBrowserContrastAndWidth(t *testing.T) {
	b := newBrowser(t)
	for _, width := range []int{1200, 400} {
		b.width(width)
		b.open(saved(t, inText(t, hostiles["markdown"]).html(t, 0)))
		b.eval(`document.querySelectorAll("details").forEach(d => d.open = true)`)
		b.want(true, `document.documentElement.scrollWidth <= %d`, width)
		backgrounds := make(map[any]bool)
		for _, scheme := range []string{"light", "dark"} {
			b.scheme(scheme)
			b.want("", lowContrast)
			backgrounds[b.eval(`getComputedStyle(document.body).backgroundColor`)] = true
		}
		if len(backgrounds) != 2 {
			t.Errorf("light and dark have the background %v", backgrounds)
		}
	}
}

const lowContrast = `(() => {
	const rgb = s => s.match(/[\d.]+/g).map(Number);
	const light = c => {
		const [r, g, b] = c.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const behind = e => {
		for (; e; e = e.parentElement) {
			const c = rgb(getComputedStyle(e).backgroundColor);
			if (c.length < 4 || c[3] === 1) return c.slice(0, 3);
		}
		return [255, 255, 255];
	};
	const low = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n = walker.nextNode(); n; n = walker.nextNode()) {
		const e = n.parentElement;
		if (!n.data.trim() || !e.checkVisibility() || ["SCRIPT", "OPTION"].includes(e.tagName)) continue;
		const style = getComputedStyle(e);
		const a = light(rgb(e instanceof SVGElement ? style.fill : style.color).slice(0, 3)), b = light(behind(e));
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) low.add(e.tagName + "." + e.getAttribute("class") + " " + ratio.toFixed(2));
	}
	return Array.from(low).join("; ");
})()`

// What a screen reader is told: landmarks, headings, names, tables that stay tables in a narrow window.
func TestBrowserAccessibility(t *testing.T) {
	b := newBrowser(t)
	for _, width := range []int{1200, 400} {
		b.width(width)
		b.open(saved(t, inText(t, harmless).html(t, 0)))
		var tree struct {
			Nodes []struct {
				Ignored    bool
				Role, Name struct{ Value string }
			}
		}
		b.call("Accessibility.getFullAXTree", nil, &tree)
		roles := make(map[string]int)
		for _, n := range tree.Nodes {
			if n.Ignored {
				continue
			}
			roles[n.Role.Value]++
			switch n.Role.Value {
			case "navigation", "region", "search", "searchbox", "combobox", "button", "image", "link", "table", "DisclosureTriangle", "columnheader":
				if strings.TrimSpace(n.Name.Value) == "" {
					t.Errorf("at %d pixels a %s has no name", width, n.Role.Value)
				}
			}
		}
		for role, least := range map[string]int{
			"banner": 1, "navigation": 1, "main": 1, "contentinfo": 1, "heading": 9, "search": 2, "searchbox": 2, "combobox": 3,
			"table": 9, "columnheader": 10, "row": 40, "cell": 100, "rowheader": 10, "image": 1, "status": 2,
		} {
			if roles[role] < least {
				t.Errorf("at %d pixels there are %d of the role %s, want at least %d", width, roles[role], role, least)
			}
		}
	}
}

// Without a script the page is whole: every row is there, what is folded opens, and nothing is offered that needs one.
func TestBrowserWithoutScript(t *testing.T) {
	b := newBrowser(t)
	path := saved(t, inText(t, harmless).html(t, 0))
	b.open(path)
	rows := b.eval(visibleRows, "frames-table")
	b.call("Emulation.setScriptExecutionDisabled", args{"value": true}, nil)
	b.open(path)
	list, complaints := b.requests()
	if len(list) != 1 || len(complaints) > 0 {
		t.Errorf("the page asks for %q; complaints: %q", list, complaints)
	}
	b.want(0, `document.querySelectorAll("th button").length`)
	b.want(0, `Array.from(document.forms).filter(f => f.checkVisibility()).length`)
	b.want(rows, visibleRows, "frames-table")
	b.eval(`document.querySelector("#frames-table details summary").focus()`)
	b.enter()
	b.want(true, `document.querySelector("#frames-table .claims").checkVisibility()`)
}
