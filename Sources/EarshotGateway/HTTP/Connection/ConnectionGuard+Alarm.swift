import NIOCore

extension ConnectionGuard {
    /// Sees to it that the clock is looked at when the next thing must have happened.
    func arm(_ context: ChannelHandlerContext) {
        guard let deadline = timeline.deadline else { return }
        if let alarm, alarm.at <= deadline { return }
        alarm?.task.cancel()
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.ring(context) }
        alarm = Alarm(at: deadline, task: task)
    }

    private func ring(_ context: ChannelHandlerContext) {
        alarm = nil
        guard case .open = state else { return }
        switch timeline.verdict(now: context.eventLoop.now) {
        case .fine: arm(context)
        case .idleTooLong: context.close(promise: nil)
        case .tooSlow: refuse(HeadRules.tooSlow, context)
        }
    }

    func disarm() {
        alarm?.task.cancel()
        stallAlarm?.cancel()
        alarm = nil
        stallAlarm = nil
    }
}
