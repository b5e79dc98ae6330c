/** Collects the undeclared errors that endpoints answered, so that the test file fails at the end, with a list of what must be declared. */
export function undeclaredInTests() {
  const found = new Set<string>();
  return {
    onUndeclared: (endpointId: string, code: string): void => void found.add(`${endpointId} answered ${code}`),
    /** @throws Error when an endpoint answered an error that its declaration in the contract does not name */
    refuse: (): void => {
      if (found.size > 0) throw new Error(`Declare these errors in the contract: ${[...found].toSorted().join('; ')}`);
    },
  };
}
