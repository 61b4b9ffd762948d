/**
 * Background work, such as sending mail: bounded, with logged failures, finished before the process
 * ends.
 */

export interface Background {
  /** Starts a task. Beyond the bound the task is dropped and logged. */
  run(what: string, task: () => Promise<unknown>): void;
  /** Resolves when all tasks are done. */
  drain(): Promise<void>;
}

export interface BackgroundOptions {
  tasksMax: number;
  onFailure: (what: string, error: unknown) => void;
}

export function createBackground({ tasksMax, onFailure }: BackgroundOptions): Background {
  const tasks = new Set<Promise<void>>();
  return {
    run(what, task) {
      if (tasks.size >= tasksMax) {
        onFailure(what, new Error(`dropped: ${tasksMax} tasks are under way`));
        return;
      }
      const running: Promise<void> = Promise.resolve()
        .then(task)
        .then(
          () => {},
          (error: unknown) => onFailure(what, error),
        )
        .finally(() => tasks.delete(running));
      tasks.add(running);
    },
    async drain() {
      while (tasks.size > 0) await Promise.all(tasks);
    },
  };
}
