import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import type { TestOutcomes } from './test-outcomes.ts';

/**
 * Writes down how each test ended. Vitest's own JSON reporter does not tell a test that failed from one whose time was
 * over. Vitest takes a reporter by the name of its file, as a class that is the default export.
 */
export default class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const outcomes: TestOutcomes = {
      notLoaded: modules.flatMap((module) => module.errors().map(({ message }) => `${module.moduleId}: ${message}`)),
      tests: modules.flatMap((module) =>
        [...module.children.allTests()].map((test) => {
          const { state, errors = [] } = test.result();
          return { name: test.fullName, state, errors: errors.map(({ name = '', message }) => ({ name, message })) };
        }),
      ),
    };
    writeFileSync(process.env['OUTCOMES_FILE']!, JSON.stringify(outcomes));
  }
}
