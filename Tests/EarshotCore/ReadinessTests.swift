import EarshotCore
import Testing

@Suite struct `The server's readiness` {
    @Test func `is ready as long as no blocking reason holds`() {
        let readiness = Readiness([.starting])
        #expect(!readiness.isReady)
        readiness.withdraw(.starting)
        #expect(readiness.isReady)
        for reason in Readiness.Reason.allCases {
            readiness.report(reason)
            #expect(readiness.isReady == !reason.isBlocking)
            #expect(readiness.reasons == [reason])
            readiness.withdraw(reason)
        }
    }

    @Test func `does not become ready while another blocking reason holds`() {
        let readiness = Readiness([.storageSlow, .diskFull])
        readiness.withdraw(.storageSlow)
        #expect(!readiness.isReady)
        #expect(readiness.reasons == [.diskFull])
    }

    @Test func `says once that something changed`() {
        let readiness = Readiness()
        let withdrawn = readiness.set(.diskFull, false)
        let reported = [readiness.set(.diskFull, true), readiness.set(.diskFull, true)]
        #expect(!withdrawn)
        #expect(reported == [true, false])
    }
}
