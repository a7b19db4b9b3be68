import { explainHarness } from '../pipeline/stage.ts';

/** Does something with files and graders; what is wrong with them is told as a wrong command line is. */
export async function withExplanation<Value>(act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    throw explainHarness(error);
  }
}
