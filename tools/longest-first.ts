import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Where tests start programs, or ask every endpoint: a few lines of them take a minute. */
const long = /^(apps\/server\/test|dev\/independent|tools\/stubs)\//;

/**
 * Puts test files that take long before the others of their project. Vitest goes by the size of a file where it doesn't know how long the file took, as in a
 * fresh copy of the repository: one that starts name servers in twenty lines would begin when the other processes are done.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rootOf = this.ctx.config.root;
    const isFirst = ({ moduleId }: TestSpecification): boolean => long.test(moduleId.slice(rootOf.length + 1));
    return [...Map.groupBy(sorted, ({ project }) => project.name).values()].flatMap(ofProject => [
      ...ofProject.filter(isFirst),
      ...ofProject.filter(file => !isFirst(file)),
    ]);
  }
}
