package terminal

// A Color is how a word is shown. The zero value is plain.
type Color string

// Colours: the eight that every terminal has.
const (
	Plain   Color = ""
	Red     Color = "31"
	Green   Color = "32"
	Yellow  Color = "33"
	Magenta Color = "35"
	Cyan    Color = "36"
)

// Paint returns s in a colour. s is text of our own, without a colour in it.
func Paint(s string, c Color) string {
	if c == Plain || s == "" {
		return s
	}
	return "\x1b[" + string(c) + "m" + s + "\x1b[0m"
}
