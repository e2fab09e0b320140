// What a bar of the plan is, as bits of one number for each task.
export const SUMMARY = 1;
export const MILESTONE = 2;
export const CRITICAL = 4;
export const NEAR = 8;
export const DONE = 16;
export const ISSUE = 32;
export const LATE = 64;
export const BROKEN = 128;
export const BLOCKED = 256;
