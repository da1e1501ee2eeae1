// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStore

/// The beginning of a scenario, to be set again for each play of it.
struct ScenarioStage {
    let world: ScenarioWorld
    private let device: DiskImage
    private let service: DiskImage

    /// Makes the beginning, and sets it.
    init(_ scenario: Scenario) async throws {
        world = try ScenarioWorld()
        switch scenario.beginning {
        case .nothing: break
        case .cloned: try await world.clone()
        case .local:
            // The model as a device has it.
            try await world.clone()
            let model = try world.device().model
            try world.device().wipe()
            try world.closeDevice()
            try world.makeLocal(model: model)
        }
        try world.closeDevice()
        try world.stopService()
        device = world.deviceDisk.image()
        service = world.serviceDisk.image()
        try set()
    }

    /// Sets the beginning.
    func set() throws {
        world.dropDevice()
        world.dropService()
        world.release = nil
        try world.deviceDisk.set(device)
        try world.serviceDisk.set(service)
        try world.startService()
        try world.openDevice()
        world.deviceDisk.beginCounting()
        world.serviceDisk.beginCounting()
    }
}
