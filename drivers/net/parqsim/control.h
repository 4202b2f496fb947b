/* SPDX-License-Identifier: GPL-2.0 */
/* A file in debugfs that takes requests, for tests. */
#ifndef _PARQSIM_CONTROL_H
#define _PARQSIM_CONTROL_H

/* In the directory of the slots, with which it goes. */
void control_init(void);

#endif /* _PARQSIM_CONTROL_H */
