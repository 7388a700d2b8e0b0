//go:build !unix

package archive_test

import "os"

// processor is the time of the clock: what the processors worked is not known here.
var processor = wall

// peakMemory is not known here.
func peakMemory(*os.ProcessState) (bytes float64, known bool) { return 0, false }
