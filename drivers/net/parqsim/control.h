/* SPDX-License-Identifier: GPL-2.0 */
/* debugfs file that accepts requests, for tests. */
#ifndef _PARQSIM_CONTROL_H
#define _PARQSIM_CONTROL_H

/* Creates the file in the directory of the slots. It is removed with the directory. */
void control_init(void);

#endif /* _PARQSIM_CONTROL_H */
