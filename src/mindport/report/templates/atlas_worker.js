// A page opened from disk may not start a Worker. There, and only there, one is a frame without a picture:
// the same script, in the page's own thread. The theme would load such a stand-in from the network.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super()
      this.onmessage = null
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.documentElement.append(this.frame)
      this.scope = this.frame.contentWindow
      this.scope.postMessage = data => {
        // As from a real Worker: a copy, and later. An answer within the question would find the search field half written.
        const copy = structuredClone(data)
        setTimeout(() => {
          const event = new MessageEvent("message", { data: copy })
          this.dispatchEvent(event)
          if (this.onmessage) this.onmessage(event)
        })
      }
      this.scope.importScripts = (...addresses) => Promise.all(addresses.map(each => this.load(each)))
      this.ready = this.load(new URL(address, document.baseURI).href)
    }
    load(address) {
      return new Promise((done, failed) => {
        const script = this.scope.document.createElement("script")
        script.onload = done
        script.onerror = failed
        script.src = address
        this.scope.document.documentElement.append(script)
      })
    }
    postMessage(data) {
      const copy = structuredClone(data)
      this.ready.then(() => setTimeout(() => this.scope.dispatchEvent(new this.scope.MessageEvent("message", { data: copy }))))
    }
    terminate() {
      this.frame.remove()
    }
  }
}
