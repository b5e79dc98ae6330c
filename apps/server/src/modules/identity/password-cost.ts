/** What a new password hash costs (identity.md D12): 45 ms and 46 MiB each here. `memory` is in KiB, as argon2id counts it. */
export const passwordCost: Readonly<{ memory: number; passes: number; parallelism: number }> = {
  memory: 47_104,
  passes: 1,
  parallelism: 1,
};
