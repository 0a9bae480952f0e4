/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Audit on for a while, as found afterwards; for lib/work.
 *
 * A process of its own, the guardian, switches it, so that it is put back even when
 * the case is killed: it waits until it is told, or until no process of the case is
 * left, which the end of a socket shows that all of them hold.
 */
#ifndef ENTRY_AUDIT_SWITCH_H
#define ENTRY_AUDIT_SWITCH_H

/* audit_on() - skips the case where audit cannot be had. Only for tasks forked afterwards. */
void audit_on(void);

/*
 * audit_off() - as it was before audit_on(), in whichever process that was called.
 * Nothing to do if it was not.
 */
void audit_off(void);

#endif
