// A program that runs another and prints what that one used: the largest resident set, as the system counts it, and the
// processor time in nanoseconds. A process that is started by a large one is told the memory of that one.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"reflect"
)

func main() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	if text, err := cmd.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, text)
		os.Exit(1)
	}
	memory := int64(-1) // not known here
	if used := reflect.Indirect(reflect.ValueOf(cmd.ProcessState.SysUsage())); used.Kind() == reflect.Struct {
		if field := used.FieldByName("Maxrss"); field.IsValid() && field.CanInt() {
			memory = field.Int()
		}
	}
	fmt.Println(memory, int64(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()))
}
