/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel that only talks: an arm64 Image for QEMU's virt machine that writes
 * what was appended to it to the serial console, up to a zero byte, and then does
 * what the letter after that says:
 *	o  power off		r  reset, as after a panic
 *	h  stop for ever	g  write rubbish for ever
 * tests/vm_test.sh makes its kernels with "cat stub.bin transcript ending".
 */
#define UART		0x09000000
#define PSCI_OFF	0x84000008
#define PSCI_RESET	0x84000009

	.text
	.org	0
	b	start
	.long	0
	.quad	0			/* text_offset */
	.quad	0x4000			/* image_size, in memory */
	.quad	0xa			/* flags: little endian, 4K pages */
	.quad	0, 0, 0
	.ascii	"ARM\x64"
	.long	0			/* no PE header */

start:
	ldr	x19, =UART
	adr	x20, payload
1:	ldrb	w0, [x20], #1
	cbz	w0, 2f
	strb	w0, [x19]
	b	1b
2:	ldrb	w1, [x20]
	ldr	w0, =PSCI_OFF
	cmp	w1, #'o'
	b.eq	3f
	ldr	w0, =PSCI_RESET
	cmp	w1, #'r'
	b.eq	3f
	cmp	w1, #'g'
	b.eq	rubbish
4:	wfi
	b	4b
3:	hvc	#0
	b	4b

	/* All bytes but few newlines, from a linear congruential generator. */
rubbish:
	ldr	w2, =1664525
	ldr	w3, =1013904223
5:	madd	w1, w1, w2, w3
	lsr	w0, w1, #24
	strb	w0, [x19]
	b	5b

	.ltorg
	.org	0x2000
payload:
